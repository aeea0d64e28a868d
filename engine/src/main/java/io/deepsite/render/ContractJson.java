package io.deepsite.render;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import io.deepsite.contract.Contract;
import io.deepsite.state.PlainConstructors;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Contracts, and records that contain contracts, as canonical JSON: sorted keys, no white space, equal contracts as
 * equal bytes.
 */
public final class ContractJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new PlainConstructors())
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // A record's questions ({@code isEmpty}) are not part of it.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .build();

    private ContractJson() {}

    /** @param value a contract, or texts, numbers, booleans, lists, maps and records of these */
    public static String write(Object value) {
        return JSON.writeValueAsString(value);
    }

    public static Contract read(String json) {
        return read(json, Contract.class);
    }

    public static <T> T read(String json, Class<T> type) {
        return JSON.readValue(json, type);
    }

    public static JsonNode tree(Contract contract) {
        return JSON.valueToTree(contract);
    }

    public static Contract contract(JsonNode tree) {
        return JSON.treeToValue(tree, Contract.class);
    }
}
