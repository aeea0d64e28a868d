package io.deepsite.render;

import com.hubspot.jinjava.interpret.InvalidArgumentException;
import com.hubspot.jinjava.interpret.InvalidReason;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.MapFilter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The filter {@code map}; an attribute missing from an element is an error, where jinjava's own gives nothing. */
final class AttributeMap extends MapFilter {
    private static final String ATTRIBUTE = "attribute";

    @Override
    public @Nullable Object filter(
            @Nullable Object value, JinjavaInterpreter interpreter, Object[] args, Map<String, Object> named) {
        if (named.get(ATTRIBUTE) instanceof String attribute && value instanceof Iterable<?> elements) {
            for (var element : elements) {
                if (!(element instanceof Map<?, ?> map) || !map.containsKey(attribute)) {
                    throw new InvalidArgumentException(
                            interpreter, this, InvalidReason.NULL_ATTRIBUTE_IN_LIST, ATTRIBUTE, attribute);
                }
            }
        }
        return super.filter(value, interpreter, args, named);
    }
}
