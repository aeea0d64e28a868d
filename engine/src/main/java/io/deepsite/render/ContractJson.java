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

/** Contracts as canonical JSON: sorted keys, no white space; the same contract is the same bytes. */
public final class ContractJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new PlainConstructors())
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // What a record answers ("is it empty?") is no part of it.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .build();

    private ContractJson() {}

    public static String write(Contract contract) {
        return JSON.writeValueAsString(contract);
    }

    public static Contract read(String json) {
        return JSON.readValue(json, Contract.class);
    }

    public static JsonNode tree(Contract contract) {
        return JSON.valueToTree(contract);
    }

    public static Contract contract(JsonNode tree) {
        return JSON.treeToValue(tree, Contract.class);
    }
}
