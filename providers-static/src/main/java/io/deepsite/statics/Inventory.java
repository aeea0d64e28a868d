package io.deepsite.statics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The output of {@code ansible-inventory --list}: groups, their hosts, and the variables of each host. */
final class Inventory {
    private final JsonNode root;
    private final String ansibleVersion;

    private Inventory(JsonNode root, String ansibleVersion) {
        this.root = root;
        this.ansibleVersion = ansibleVersion;
    }

    /** @throws IllegalArgumentException if the text is not an inventory */
    static Inventory parse(String json, String ansibleVersion) {
        try {
            var root = new JsonMapper().readTree(json);
            if (!root.path("_meta").path("hostvars").isObject()) {
                throw new IllegalArgumentException("it has no _meta.hostvars");
            }
            root.properties().forEach(group -> refuseUnlessNames(group.getKey(), group.getValue()));
            return new Inventory(root, ansibleVersion);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    private static void refuseUnlessNames(String group, JsonNode members) {
        for (var key : List.of("hosts", "children")) {
            for (var member : members.path(key)) {
                if (!member.isString()) {
                    throw new IllegalArgumentException("the " + key + " of the group " + group + " are not all names");
                }
            }
        }
    }

    String ansibleVersion() {
        return ansibleVersion;
    }

    int size() {
        return root.path("_meta").path("hostvars").size();
    }

    /** The groups of the user, without Ansible's own {@code all} and {@code ungrouped}. */
    Set<String> groups() {
        var names = new TreeSet<String>();
        root.propertyNames().forEach(name -> {
            names.add(name);
            root.path(name).path("children").forEach(child -> names.add(child.asString()));
        });
        names.removeAll(List.of("_meta", "all", "ungrouped"));
        return names;
    }

    /** Hosts of the group and of the groups below it, in the order of the inventory, each once. */
    List<String> hosts(String group) {
        var hosts = new LinkedHashSet<String>();
        collect(group, hosts, new LinkedHashSet<>());
        return new ArrayList<>(hosts);
    }

    private void collect(String group, Set<String> hosts, Set<String> seen) {
        if (!seen.add(group)) {
            return;
        }
        root.path(group).path("hosts").forEach(host -> hosts.add(host.asString()));
        root.path(group).path("children").forEach(child -> collect(child.asString(), hosts, seen));
    }

    /** The variable as text; empty if it is missing or null. */
    Optional<String> variable(String host, String name) {
        var value = root.path("_meta").path("hostvars").path(host).path(name);
        return value.isValueNode() && !value.isNull() ? Optional.of(value.asString()) : Optional.empty();
    }

    /** Those of the names that are variables of the host. */
    List<String> given(String host, List<String> names) {
        var variables = root.path("_meta").path("hostvars").path(host);
        return names.stream().filter(variables::has).toList();
    }

    /** The groups of each host that is in several of them. */
    Map<String, List<String>> shared(List<String> groups) {
        var groupsOf = new LinkedHashMap<String, List<String>>();
        for (String group : groups) {
            hosts(group)
                    .forEach(host -> groupsOf.computeIfAbsent(host, _ -> new ArrayList<>())
                            .add(group));
        }
        groupsOf.values().removeIf(of -> of.size() < 2);
        return groupsOf;
    }
}
