package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One option of {@code meta/argument_specs.yml}.
 *
 * @param description for people; one or two sentences
 * @param elements type of a list's elements
 * @param byDefault empty for none
 * @param choices the accepted values; all, where empty
 * @param options of a dict, or of the dicts in a list; empty where any key may stand
 */
record ArgumentSpec(
        String description,
        Type type,
        Optional<Type> elements,
        boolean required,
        Optional<Object> byDefault,
        List<Object> choices,
        Map<String, ArgumentSpec> options) {

    enum Type {
        STR("a text"),
        PATH("a path"),
        INT("a whole number"),
        FLOAT("a number"),
        BOOL("true or false"),
        LIST("a list"),
        DICT("a map"),
        RAW("a value");

        private final String shown;

        Type(String shown) {
            this.shown = shown;
        }

        @Override
        public String toString() {
            return shown;
        }

        boolean accepts(Object value) {
            return switch (this) {
                case STR, PATH -> value instanceof String;
                case INT -> value instanceof Integer || value instanceof Long;
                case FLOAT -> value instanceof Number;
                case BOOL -> value instanceof Boolean;
                case LIST -> value instanceof List;
                case DICT -> value instanceof Map;
                case RAW -> true;
            };
        }
    }

    ArgumentSpec {
        choices = List.copyOf(choices);
    }

    /** Options by name, from the entry point {@code main}. */
    static Map<String, ArgumentSpec> read(RoleText source) {
        return YamlTree.read(source)
                .get("argument_specs")
                .map(YamlTree.Mapping.class::cast)
                .flatMap(entries -> entries.get("main"))
                .map(YamlTree.Mapping.class::cast)
                .flatMap(main -> main.get("options"))
                .map(options -> options(source, (YamlTree.Mapping) options))
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.ROLE_FILE,
                        source.where(1),
                        "It has no argument_specs.main.options.",
                        "Write `options: {}` for none.")));
    }

    private static Map<String, ArgumentSpec> options(RoleText source, YamlTree.Mapping mapping) {
        var options = new LinkedHashMap<String, ArgumentSpec>();
        mapping.entries().forEach((name, tree) -> {
            var option = (YamlTree.Mapping) tree;
            options.put(
                    name,
                    new ArgumentSpec(
                            option.get("description")
                                    .map(text -> String.valueOf(plain(Optional.of(text))))
                                    .orElse(""),
                            type(source, option, "type").orElse(Type.STR),
                            type(source, option, "elements"),
                            Boolean.TRUE.equals(plain(option.get("required"))),
                            Optional.ofNullable(plain(option.get("default"))),
                            plain(option.get("choices")) instanceof List<?> list ? List.copyOf(list) : List.of(),
                            option.get("options")
                                    .map(inner -> options(source, (YamlTree.Mapping) inner))
                                    .orElse(Map.of())));
        });
        return options;
    }

    private static Optional<Type> type(RoleText source, YamlTree.Mapping option, String key) {
        return option.get(key).map(tree -> {
            for (var type : Type.values()) {
                if (type.name().equalsIgnoreCase(String.valueOf(plain(Optional.of(tree))))) {
                    return type;
                }
            }
            throw new Failure(Diagnostic.error(
                    Code.ROLE_FILE,
                    source.where(tree.line()),
                    "There is no such type.",
                    "Use str, int, bool, list, dict, path, float or raw."));
        });
    }

    private static @Nullable Object plain(Optional<? extends YamlTree> tree) {
        return switch (tree.orElse(null)) {
            case null -> null;
            case YamlTree.Scalar scalar -> Plain.of(scalar.value());
            case YamlTree.Sequence sequence ->
                sequence.elements().stream()
                        .map(element -> plain(Optional.of(element)))
                        .toList();
            case YamlTree.Mapping mapping -> {
                var map = new LinkedHashMap<String, @Nullable Object>();
                mapping.entries().forEach((key, value) -> map.put(key, plain(Optional.of(value))));
                yield map;
            }
        };
    }
}
