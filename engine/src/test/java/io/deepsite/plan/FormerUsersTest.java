package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.SiteStages;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.render.ContractJson;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FormerUsersTest {
    private final RecordedHost bare = new RecordedHost("10.0.0.2", 22, "root", null, new TreeMap<>());
    private final RecordedHost withAlice = bare.withRole("site_users", recorded(users("alice", 2001)));

    @Test
    void whoLeavesTheRoleIsAFormerUser() {
        assertThat(after(withAlice, Optional.of(users()))).containsExactly(Map.entry("alice", 2001));
        assertThat(after(withAlice, Optional.empty())).containsExactly(Map.entry("alice", 2001));
    }

    @Test
    void whoStaysOrComesBackIsNone() {
        assertThat(after(withAlice, Optional.of(users("alice", 2001)))).isEmpty();
        var former = bare.withFormerUsers(new TreeMap<>(Map.of("alice", 2001, "carol", 2003)));
        assertThat(after(former, Optional.of(users("alice", 2001)))).containsExactly(Map.entry("carol", 2003));
    }

    @Test
    void whoAnotherRoleStillHasIsNone() {
        var twice = withAlice.withRole("desks", recorded(users("alice", 2001)));

        assertThat(after(twice, Optional.empty())).isEmpty();
    }

    @Test
    void aUserWithoutAFixedUidIsNone() {
        var system =
                bare.withRole("site_users", recorded(new Contract("r", "head", List.of(user("mesos", 0)), List.of())));

        assertThat(after(system, Optional.empty())).isEmpty();
    }

    /** Otherwise the next plan's contract would lack the action, and that plan would not be empty. */
    @Test
    void usersOfTheContractStayRecordedOnAReplacedMachine() {
        var contract = new Contract("site_users", "head", List.of(user("bob", 2001)), List.of(deletes("alice", 2001)));

        assertThat(after(bare, Optional.of(contract))).containsExactly(Map.entry("alice", 2001));
        assertThat(after(bare, Optional.of(ContractJson.read(ContractJson.write(contract)))))
                .containsExactly(Map.entry("alice", 2001));
    }

    @Test
    void accountsOfAHostAreThoseOfItsRolesAndOfFormerUsers() {
        var state = SiteState.fresh("lab", "1")
                .withHost("head", withAlice.withFormerUsers(new TreeMap<>(Map.of("carol", 2003))))
                .withHost("node", bare);

        assertThat(FormerUsers.accounts(state))
                .isEqualTo(Map.of("head", Map.of("alice", 2001, "carol", 2003), "node", Map.of()));
    }

    private static Map<String, Integer> after(RecordedHost host, Optional<Contract> next) {
        return FormerUsers.after(host, "site_users", next);
    }

    private static Contract users(Object... namesAndUids) {
        var items = new ArrayList<Item>();
        for (int i = 0; i < namesAndUids.length; i += 2) {
            items.add(user((String) namesAndUids[i], (int) namesAndUids[i + 1]));
        }
        return new Contract("site_users", "head", items, List.of());
    }

    /** @param uid 0 for no fixed one */
    static Item.User user(String name, int uid) {
        return new Item.User(
                name,
                Optional.of(uid).filter(number -> number > 0),
                Optional.of(name),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Item.Phase.BEFORE,
                Item.Notify.NONE);
    }

    private static Action deletes(String name, int uid) {
        return new Action(
                SiteStages.FORMER_ACCOUNTS,
                "deletes " + name,
                List.of("true"),
                "former-accounts.yml",
                Optional.empty(),
                Optional.of("it is gone"),
                Action.Impact.WIPE,
                new TreeMap<>(Map.of("accounts", List.of(Map.of("name", name, "uid", uid, "heir", "bob")))),
                "d",
                false);
    }

    private static RecordedRole recorded(Contract contract) {
        return new RecordedRole("site.users", List.of(), "f", ContractJson.tree(contract), List.of());
    }
}
