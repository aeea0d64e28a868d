package io.deepsite.openstack;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Reads JSON of services; what is absent or null is empty. */
final class Nodes {
    private Nodes() {}

    static String text(JsonNode node, String key) {
        var value = node.path(key);
        return value.isNull() || value.isMissingNode() ? "" : value.asString("");
    }

    static int number(JsonNode node, String key) {
        return node.path(key).asInt(0);
    }

    static List<String> texts(JsonNode node, String key) {
        return node.path(key).valueStream().map(value -> value.asString("")).toList();
    }

    static Map<String, String> map(JsonNode node, String key) {
        var map = new TreeMap<String, String>();
        node.path(key)
                .properties()
                .forEach(entry -> map.put(entry.getKey(), entry.getValue().asString("")));
        return map;
    }
}
