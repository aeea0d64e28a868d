package io.deepsite.render;

import com.hubspot.jinjava.el.JinjavaInterpreterResolver;
import java.beans.FeatureDescriptor;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jinjava.javax.el.ELContext;
import jinjava.javax.el.ELResolver;
import jinjava.javax.el.PropertyNotFoundException;
import org.jspecify.annotations.Nullable;

/** Makes a missing map key or an index beyond a list an error anywhere in an expression. */
final class StrictProperties extends ELResolver {
    private static final ELResolver LENIENT = JinjavaInterpreterResolver.DEFAULT_RESOLVER_READ_ONLY;

    private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

    @Override
    public @Nullable Object getValue(ELContext context, @Nullable Object base, Object property) {
        // jinjava passes an index as text.
        boolean missing = (base instanceof Map<?, ?> map && !map.containsKey(property))
                || (base instanceof List<?> list
                        && INDEX.matcher(property.toString()).matches()
                        && Integer.parseInt(property.toString()) >= list.size());
        if (missing) {
            throw new PropertyNotFoundException("There is no " + property + " in " + names(base) + ".");
        }
        return LENIENT.getValue(context, base, property);
    }

    private static String names(@Nullable Object base) {
        return base instanceof Map<?, ?> map ? "a map of " + map.keySet() : "a list this short";
    }

    @Override
    public Object invoke(ELContext context, Object base, Object method, Class<?>[] types, Object[] parameters) {
        return LENIENT.invoke(context, base, method, types, parameters);
    }

    @Override
    public Class<?> getCommonPropertyType(ELContext context, Object base) {
        return LENIENT.getCommonPropertyType(context, base);
    }

    @Override
    public Iterator<FeatureDescriptor> getFeatureDescriptors(ELContext context, Object base) {
        return Collections.emptyIterator();
    }

    @Override
    public Class<?> getType(ELContext context, Object base, Object property) {
        return LENIENT.getType(context, base, property);
    }

    @Override
    public boolean isReadOnly(ELContext context, Object base, Object property) {
        return true;
    }

    @Override
    public void setValue(ELContext context, Object base, Object property, Object value) {
        throw new UnsupportedOperationException("templates change nothing");
    }
}
