package io.deepsite.contract;

import io.deepsite.site.PathName;
import java.util.Comparator;
import java.util.List;

/**
 * One role on one host, rendered.
 *
 * @param items in the order of application (see {@link Item.Type}), ids unique
 * @param actions in the order of the role
 */
public record Contract(String role, String host, List<Item> items, List<Action> actions) {
    public Contract {
        PathName.require("role", role);
        PathName.require("host", host);
        items = items.stream().sorted(Comparator.comparing(Item::type)).toList();
        actions = List.copyOf(actions);
    }
}
