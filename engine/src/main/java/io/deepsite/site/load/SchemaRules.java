package io.deepsite.site.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What keys exclude and require, in JSON Schema. A flag or value by a parameter counts as met where that refuses nothing.
 */
final class SchemaRules {
    private final Shape.Struct struct;

    private SchemaRules(Shape.Struct struct) {
        this.struct = struct;
    }

    /** Each is one schema that the record has to match. */
    static List<Map<String, Object>> of(Shape.Struct struct) {
        var rules = new SchemaRules(struct);
        var schemas = new ArrayList<Map<String, Object>>();
        struct.rules().forEach(rule -> schemas.addAll(rules.of(rule)));
        var oneOf = struct.oneOf();
        if (oneOf != null) {
            schemas.add(rules.any(KeyRule.conditions(oneOf.value())));
        }
        return schemas;
    }

    private List<Map<String, Object>> of(KeyRule rule) {
        var given =
                Stream.concat(Stream.of(rule.subject()), rule.when().stream()).toList();
        if (rule.excludes()) {
            return rule.keys().stream()
                    .map(key -> JsonSchema.ordered(
                            "not",
                            all(Stream.concat(given.stream(), Stream.of(key)).toList(), false)))
                    .toList();
        }
        var key = rule.keys().getFirst();
        if (rule.keys().size() == 1 && given.size() == 1 && isPlain(rule.subject()) && isPlain(key)) {
            return List.of(JsonSchema.ordered(
                    "dependentRequired", Map.of(rule.subject().name(), List.of(key.name()))));
        }
        return List.of(JsonSchema.ordered("if", all(given, false), "then", any(rule.keys())));
    }

    /** Any value will do, so that it is enough that the key is there. */
    private boolean isPlain(KeyRule.Condition condition) {
        return condition.value().isEmpty()
                && condition.path().size() == 1
                && ofValue(condition, field(condition), false).isEmpty();
    }

    /** @param lenient what only the value of a parameter decides is met */
    private Map<String, Object> all(List<KeyRule.Condition> conditions, boolean lenient) {
        var needed = new LinkedHashSet<String>();
        var properties = new LinkedHashMap<String, Object>();
        for (var condition : conditions) {
            var field = field(condition);
            boolean byDefault =
                    condition.value().filter(field.defaultValue()::equals).isPresent();
            var schema = ofValue(condition, field, lenient);
            for (var key : condition.path().subList(1, condition.path().size()).reversed()) {
                schema = record(byDefault ? Set.of() : Set.of(key), schema.isEmpty() ? Map.of() : Map.of(key, schema));
            }
            if (!byDefault) {
                needed.add(condition.key());
            }
            if (!schema.isEmpty() && properties.put(condition.key(), schema) != null) {
                throw new IllegalStateException("a rule has two conditions on the key " + condition.key());
            }
        }
        return record(needed, properties);
    }

    private static Map<String, Object> record(Set<String> needed, Map<String, Object> properties) {
        var schema = JsonSchema.ordered();
        if (!needed.isEmpty()) {
            schema.put("required", needed);
        }
        if (!properties.isEmpty()) {
            schema.put("properties", properties);
        }
        return schema;
    }

    private Map<String, Object> any(List<KeyRule.Condition> conditions) {
        var schemas = conditions.stream()
                .map(condition -> all(List.of(condition), true))
                .toList();
        return schemas.size() == 1 ? schemas.getFirst() : JsonSchema.ordered("anyOf", schemas);
    }

    private Map<String, Object> ofValue(KeyRule.Condition condition, Field field, boolean lenient) {
        boolean isList = field.shape() instanceof Shape.Listing;
        if (condition.value().isPresent()) {
            String text = condition.value().get();
            var exact = JsonSchema.ordered("const", field.isFlag() ? (Object) Boolean.valueOf(text) : text);
            return isList
                    ? JsonSchema.ordered("contains", exact)
                    : lenient ? JsonSchema.ordered("anyOf", List.of(exact, JsonSchema.PARAMETER)) : exact;
        }
        if (field.isFlag()) {
            return lenient
                    ? JsonSchema.ordered("not", JsonSchema.ordered("const", false))
                    : JsonSchema.ordered("const", true);
        }
        return isList
                ? JsonSchema.ordered("minItems", 1)
                : field.shape() instanceof Shape.Mapping ? JsonSchema.ordered("minProperties", 1) : Map.of();
    }

    private Field field(KeyRule.Condition condition) {
        return Objects.requireNonNull(struct.field(condition.path()));
    }
}
