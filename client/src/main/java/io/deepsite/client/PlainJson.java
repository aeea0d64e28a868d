package io.deepsite.client;

import io.deepsite.diag.PlainText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** JSON of a service, with texts and names that are safe to show: what it says goes to terminals. */
final class PlainJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private PlainJson() {}

    /** @throws tools.jackson.core.JacksonException if it is no JSON */
    static JsonNode read(String text) {
        return plain(JSON.readTree(text));
    }

    private static JsonNode plain(JsonNode node) {
        return switch (node) {
            case ObjectNode fields -> {
                var copy = JSON.createObjectNode();
                fields.properties().forEach(one -> copy.set(PlainText.of(one.getKey()), plain(one.getValue())));
                yield copy;
            }
            case ArrayNode values -> {
                var copy = JSON.createArrayNode();
                values.forEach(value -> copy.add(plain(value)));
                yield copy;
            }
            case StringNode text -> StringNode.valueOf(PlainText.of(text.asString()));
            default -> node;
        };
    }
}
