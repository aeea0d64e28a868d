package io.deepsite.render;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Two roles of a host that ask for the same thing. What both ask in the same words is shared; what they ask differently
 * would be undone by each other at every apply. A whole file belongs to one role alone, whatever is asked.
 */
public final class ContractClash {
    private ContractClash() {}

    /** @param contracts of one host; the faults, none when they agree */
    public static List<Diagnostic> find(Collection<Contract> contracts) {
        var owners = new HashMap<String, Contract>();
        var items = new HashMap<String, Item>();
        var clashes = new ArrayList<Diagnostic>();
        for (var contract : contracts) {
            for (var item : contract.items()) {
                var key = path(item).orElseGet(item::id);
                var other = items.putIfAbsent(key, item);
                var owner = owners.putIfAbsent(key, contract);
                if (other != null && owner != null && !shared(other, item)) {
                    clashes.add(clash(contract.host(), owner.role(), other, contract.role(), item));
                }
            }
            // An ini option or a block of lines in a file that another role owns wholly is lost at its next change.
            partsOf(contract, items, owners).ifPresent(clashes::add);
        }
        return clashes;
    }

    private static Optional<Diagnostic> partsOf(
            Contract contract, Map<String, Item> items, Map<String, Contract> owners) {
        for (var item : contract.items()) {
            var path = partOf(item);
            var whole = path.map(items::get);
            var owner = path.map(owners::get);
            if (whole.isPresent() && owner.isPresent() && whole.get() instanceof Item.File file) {
                return Optional.of(clash(contract.host(), owner.get().role(), file, contract.role(), item));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> path(Item item) {
        return switch (item) {
            case Item.File file -> Optional.of(file.path());
            case Item.Link link -> Optional.of(link.path());
            case Item.Directory directory -> Optional.of(directory.path());
            default -> Optional.empty();
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

    private static Diagnostic clash(String host, String role, Item held, String asker, Item asked) {
        return Diagnostic.error(
                Code.CONTRACT_CLASH,
                "On " + host + " the role " + role + " asks for " + held.id() + " and the role " + asker + " for "
                        + asked.id() + ".",
                "Give the host only one of the two roles, or let them use different files (a *.d folder).");
    }
}
