package io.deepsite.render;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as plain data: text, Integer or Long, Double, Boolean, List and Map of these, from any class. */
final class Plain {
    private Plain() {}

    static @Nullable Object of(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> text;
            case Boolean flag -> flag;
            case Integer number -> number;
            case Long number -> number == number.intValue() ? (Object) number.intValue() : number;
            case BigDecimal number -> number.doubleValue();
            case Number number -> number;
            case Map<?, ?> map -> {
                var copy = new LinkedHashMap<String, @Nullable Object>();
                map.forEach((key, entry) -> copy.put(String.valueOf(key), of(entry)));
                yield copy;
            }
            case Iterable<?> elements -> {
                List<@Nullable Object> copy = new ArrayList<>();
                elements.forEach(element -> copy.add(of(element)));
                yield copy;
            }
            default -> value.toString();
        };
    }

    /** Truth as in a Jinja condition. */
    static boolean truth(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean flag -> flag;
            case CharSequence text -> !text.isEmpty();
            case Number number -> number.doubleValue() != 0;
            case Map<?, ?> map -> !map.isEmpty();
            case List<?> list -> !list.isEmpty();
            default -> true;
        };
    }
}
