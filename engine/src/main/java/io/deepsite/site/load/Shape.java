package io.deepsite.site.load;

import io.deepsite.site.OneOf;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a place of site.yaml may hold. Read from the records by {@link SiteModel}. */
sealed interface Shape {

    /** One text: {@code String}, {@code int}, {@code boolean}, or a type with {@code static parse(String)}. */
    record Scalar(Class<?> type) implements Shape {}

    record Listing(Shape element) implements Shape {}

    /** Names that the user chooses. */
    record Mapping(Scalar key, Shape value) implements Shape {}

    /** Keys that deepsite knows, in the order of the record, and what these ask of each other. */
    record Struct(Class<?> type, List<Field> fields, List<KeyRule> rules) implements Shape {
        boolean mayBeLeftOut() {
            return oneOf() == null && fields.stream().noneMatch(Field::needed);
        }

        @Nullable
        OneOf oneOf() {
            return type.getAnnotation(OneOf.class);
        }

        /**
         * Null for a key that there is not.
         *
         * @param path one key for each level
         */
        @Nullable
        Field field(List<String> path) {
            for (var field : fields) {
                if (field.key().equals(path.getFirst())) {
                    return path.size() == 1
                            ? field
                            : field.shape() instanceof Struct below ? below.field(path.subList(1, path.size())) : null;
                }
            }
            return null;
        }
    }

    /**
     * One of several structs.
     *
     * @param byKind the key {@code kind} inside chooses; otherwise it is a map with one key, the case's name
     */
    record Choice(Class<?> type, boolean byKind, Cases cases) implements Shape {}

    /** Structs by name, each read when first asked for: a site.yaml names few of the kinds and one of the providers. */
    final class Cases {
        private final List<String> names;
        private final Function<String, Struct> read;
        private final Map<String, Struct> known = new HashMap<>();

        /** @param names in the order in which texts name them */
        Cases(Collection<String> names, Function<String, Struct> read) {
            this.names = List.copyOf(names);
            this.read = read;
        }

        List<String> names() {
            return names;
        }

        /** Null for a name that there is not. */
        synchronized @Nullable Struct of(String name) {
            return names.contains(name) ? known.computeIfAbsent(name, read) : null;
        }

        void forEach(BiConsumer<String, Struct> use) {
            names.forEach(name -> use.accept(name, Objects.requireNonNull(of(name))));
        }
    }
}
