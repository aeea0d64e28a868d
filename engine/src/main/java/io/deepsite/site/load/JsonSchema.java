package io.deepsite.site.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON Schema (draft 2020-12) of site.yaml, for editors. It says what one key holds, and which keys exclude and
 * require each other; {@link SiteLoader} checks the rest.
 */
public final class JsonSchema {
    static final Map<String, Object> PARAMETER = Map.of("$ref", "#/$defs/parameter");

    /** YAML reads 4090 as a number; where any text will do, the loader takes it. */
    private static final Map<String, Object> ANY_TEXT = Map.of("type", List.of("string", "number"));

    private JsonSchema() {}

    /** Ends with a line break; the same model gives the same bytes. */
    public static String text(SiteModel model) {
        var schema = new LinkedHashMap<String, Object>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "deepsite site.yaml");
        schema.putAll(struct(model.site(), ""));
        var parameter = new LinkedHashMap<String, Object>();
        parameter.put("description", "The value of a parameter.");
        parameter.put("type", "string");
        parameter.put("pattern", "^\\$\\{[a-z][a-z0-9-]*\\}$");
        schema.put("$defs", Map.of("parameter", parameter));
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema)
                        .replace("\r\n", "\n")
                + "\n";
    }

    private static Map<String, Object> of(Shape shape, Field field) {
        return switch (shape) {
            case Shape.Scalar scalar -> {
                var exact = scalar(scalar.type(), field);
                // A text without a form of its own takes a parameter as it is.
                yield field.header() || exact.equals(ANY_TEXT) ? exact : ordered("anyOf", List.of(exact, PARAMETER));
            }
            case Shape.Listing list -> {
                var schema = ordered("type", "array", "items", of(list.element(), field));
                if (field.entryNeeded()) {
                    schema.put("minItems", 1);
                }
                if (list.element() instanceof Shape.Scalar) {
                    schema.put("uniqueItems", true);
                }
                yield schema;
            }
            case Shape.Mapping map -> {
                var schema = ordered(
                        "type",
                        "object",
                        "propertyNames",
                        scalar(map.key().type(), field),
                        "additionalProperties",
                        of(map.value(), field));
                if (field.entryNeeded()) {
                    schema.put("minProperties", 1);
                }
                yield schema;
            }
            case Shape.Struct struct -> struct(struct, "");
            case Shape.Choice choice
            when choice.byKind() -> {
                var cases = new ArrayList<Map<String, Object>>();
                choice.cases().forEach((name, struct) -> cases.add(struct(struct, name)));
                yield ordered("oneOf", cases);
            }
            case Shape.Choice choice -> {
                var cases = new LinkedHashMap<String, Object>();
                choice.cases().forEach((name, struct) -> cases.put(name, struct(struct, "")));
                yield ordered(
                        "type",
                        "object",
                        "minProperties",
                        1,
                        "maxProperties",
                        1,
                        "additionalProperties",
                        false,
                        "properties",
                        cases);
            }
        };
    }

    /** @param kind the one value of the key {@code kind}; empty where there is no such key */
    private static Map<String, Object> struct(Shape.Struct struct, String kind) {
        var properties = new LinkedHashMap<String, Object>();
        for (var field : struct.fields()) {
            var schema = new LinkedHashMap<String, Object>();
            schema.put(
                    "description",
                    field.about() + (field.notYet() ? " Not enforced by this version, and so refused." : ""));
            if (field.notYet()) {
                schema.put("not", Map.of());
            } else if (field.header() && !kind.isEmpty()) {
                schema.put("const", kind);
            } else {
                schema.putAll(of(field.shape(), field));
            }
            properties.put(field.key(), schema);
        }
        var schema = ordered("type", "object", "additionalProperties", false);
        var needed =
                struct.fields().stream().filter(Field::needed).map(Field::key).toList();
        if (!needed.isEmpty()) {
            schema.put("required", needed);
        }
        schema.put("properties", properties);
        var rules = SchemaRules.of(struct);
        if (!rules.isEmpty()) {
            schema.put("allOf", rules);
        }
        return schema;
    }

    private static Map<String, Object> scalar(Class<?> type, Field field) {
        if (type == int.class || type == Integer.class) {
            var schema = ordered("type", "integer");
            if (field.min() != Long.MIN_VALUE) {
                schema.put("minimum", field.min());
            }
            if (field.max() != Long.MAX_VALUE) {
                schema.put("maximum", field.max());
            }
            return schema;
        }
        if (type == boolean.class || type == Boolean.class) {
            return ordered("type", "boolean");
        }
        if (!field.choices().isEmpty()) {
            return ordered("enum", field.choices());
        }
        String pattern = field.pattern().isEmpty() ? patternOf(type) : field.pattern();
        return pattern.isEmpty() ? ANY_TEXT : ordered("type", "string", "pattern", "^(" + pattern + ")$");
    }

    private static String patternOf(Class<?> type) {
        if (type == String.class) {
            return "";
        }
        try {
            return (String) type.getField("PATTERN").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no public PATTERN", e);
        }
    }

    static Map<String, Object> ordered(Object... keysAndValues) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
