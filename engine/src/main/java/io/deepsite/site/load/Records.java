package io.deepsite.site.load;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the records of the model. */
final class Records {
    private Records() {}

    /** The default of a key that is left out, or a value in place of one that could not be read. */
    static @Nullable Object standIn(Field field) {
        return switch (field.shape()) {
            case Shape.Listing _ -> List.of();
            case Shape.Mapping _ -> Map.of();
            case Shape.Struct struct -> standIn(struct);
            case Shape.Choice choice ->
                standIn(Objects.requireNonNull(
                        choice.cases().of(choice.cases().names().getFirst())));
            case Shape.Scalar scalar -> {
                String text = field.defaultValue().isEmpty() ? field.example() : field.defaultValue();
                try {
                    yield Values.parse(scalar.type(), field, text, true);
                } catch (Values.Refused e) {
                    throw new IllegalStateException("the key " + field.key() + " has no usable default or example", e);
                }
            }
        };
    }

    static Object standIn(Shape.Struct struct) {
        var arguments = new ArrayList<@Nullable Object>();
        for (var field : struct.fields()) {
            if (!field.header()) {
                arguments.add(field.optional() ? Optional.empty() : standIn(field));
            }
        }
        return construct(struct, arguments);
    }

    static Object construct(Shape.Struct shape, List<@Nullable Object> arguments) {
        try {
            var constructor = shape.type().getDeclaredConstructors()[0];
            var all = new ArrayList<>(arguments);
            while (all.size() < constructor.getParameterCount()) {
                // What is no key, io.deepsite.site.NoKey.
                all.add(Collections.emptySortedSet());
            }
            return constructor.newInstance(all.toArray());
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("a rule of " + shape.type() + " is missing in site.load", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
