package io.deepsite.plan;

import io.deepsite.cluster.SiteStages;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Users of a host that the site no longer has. Leaving a user locks the account, which keeps its uid: no other user can
 * get that uid there until the account is deleted.
 */
public final class FormerUsers {
    private FormerUsers() {}

    /** Accounts that deepsite made on each recorded host, as uid by login name; includes those the site still wants. */
    public static Map<String, SortedMap<String, Integer>> accounts(SiteState state) {
        var byHost = new TreeMap<String, SortedMap<String, Integer>>();
        state.hosts().forEach((name, host) -> {
            var accounts = new TreeMap<>(host.formerUsers());
            host.roles().values().forEach(role -> accounts.putAll(uids(role.contract())));
            byHost.put(name, accounts);
        });
        return byHost;
    }

    /**
     * The former users of a host after one of its roles was applied or left.
     *
     * @param host as recorded before
     * @param next the contract as applied; empty if the role was left
     */
    public static SortedMap<String, Integer> after(RecordedHost host, String role, Optional<Contract> next) {
        var former = new TreeMap<>(host.formerUsers());
        Optional.ofNullable(host.roles().get(role))
                .map(RecordedRole::contract)
                .ifPresent(before -> former.putAll(uids(before)));
        // A recreated machine has none of these accounts. They stay recorded: otherwise the next plan would want a
        // different contract from the one just applied.
        next.ifPresent(contract -> former.putAll(deleted(contract)));
        next.ifPresent(contract -> contract.items().forEach(item -> {
            if (item instanceof Item.User user) {
                former.remove(user.name());
            }
        }));
        host.roles().forEach((other, recorded) -> {
            if (!other.equals(role)) {
                users(recorded.contract())
                        .forEach(user -> former.remove(user.path("name").asString()));
            }
        });
        return former;
    }

    /** The accounts deleted by the contract's action. */
    private static SortedMap<String, Integer> deleted(Contract contract) {
        var accounts = new TreeMap<String, Integer>();
        for (var action : contract.actions()) {
            if (action.id().equals(SiteStages.FORMER_ACCOUNTS)
                    && action.with().get("accounts") instanceof List<?> deleted) {
                for (var one : deleted) {
                    if (one instanceof Map<?, ?> account
                            && account.get("name") instanceof String name
                            && account.get("uid") instanceof Number uid) {
                        accounts.put(name, uid.intValue());
                    }
                }
            }
        }
        return accounts;
    }

    private static SortedMap<String, Integer> uids(JsonNode contract) {
        var uids = new TreeMap<String, Integer>();
        users(contract)
                .filter(user -> user.path("uid").isInt())
                .forEach(user ->
                        uids.put(user.path("name").asString(), user.path("uid").intValue()));
        return uids;
    }

    private static Stream<JsonNode> users(JsonNode contract) {
        return contract.path("items")
                .valueStream()
                .filter(item -> item.path("type").asString("").equals("user"));
    }
}
