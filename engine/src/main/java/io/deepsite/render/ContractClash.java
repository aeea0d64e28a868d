package io.deepsite.render;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds conflicts between the roles of a host. Roles may share identical items; differing ones would undo each other at
 * every apply. A whole file always belongs to one role alone.
 */
public final class ContractClash {
    private static final String PATH = "path:";

    private ContractClash() {}

    private record Asked(Contract by, Item item) {}

    /**
     * @param contracts of one host
     * @return empty if they agree
     */
    public static List<Diagnostic> find(Collection<Contract> contracts) {
        var first = new HashMap<String, Asked>();
        var clashes = new ArrayList<Diagnostic>();
        for (var contract : contracts) {
            for (var item : contract.items()) {
                var asked = new Asked(contract, item);
                var other = first.putIfAbsent(key(item), asked);
                if (other != null && !shared(other.item(), item)) {
                    clashes.add(clash(other, asked));
                }
            }
        }
        // An ini option or managed block in a file that another role owns is lost when that role next writes the file.
        for (var contract : contracts) {
            contract.items().stream()
                    .filter(item -> partOf(item)
                            .map(path -> first.get(PATH + path))
                            .filter(whole ->
                                    whole.item() instanceof Item.File || whole.item() instanceof Item.Repository)
                            .isPresent())
                    .findFirst()
                    .ifPresent(item -> clashes.add(clash(
                            Objects.requireNonNull(first.get(PATH + partOf(item).orElseThrow())),
                            new Asked(contract, item))));
        }
        return clashes;
    }

    /** The item's identity on a host: its path, else its type and name. */
    private static String key(Item item) {
        return switch (item) {
            case Item.File file -> PATH + file.path();
            case Item.Link link -> PATH + link.path();
            case Item.Directory directory -> PATH + directory.path();
            case Item.Repository repository -> PATH + "/etc/apt/sources.list.d/" + repository.name() + ".sources";
            default -> item.id();
        };
    }

    private static Optional<String> partOf(Item item) {
        return switch (item) {
            case Item.Ini ini -> Optional.of(ini.path());
            case Item.Line line -> Optional.of(line.path());
            default -> Optional.empty();
        };
    }

    private static boolean shared(Item one, Item other) {
        return switch (one) {
            case Item.File _, Item.Link _, Item.Ini _, Item.Line _, Item.Mount _, Item.Probe _ -> false;
            case Item.DebianPackage a
            when other instanceof Item.DebianPackage b -> a.present() == b.present() && a.held() == b.held();
            case Item.Service a
            when other instanceof Item.Service b -> a.enabled() == b.enabled() && a.active() == b.active();
            default -> one.equals(other);
        };
    }

    private static Diagnostic clash(Asked held, Asked asked) {
        return Diagnostic.error(
                Code.CONTRACT_CLASH,
                "On " + asked.by().host() + " the role " + held.by().role() + " asks for "
                        + held.item().id() + " and the role " + asked.by().role() + " for "
                        + asked.item().id() + ".",
                "Give the host only one of the two roles, or let them use different files (a *.d folder).");
    }
}
