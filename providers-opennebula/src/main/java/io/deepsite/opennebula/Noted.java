package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Attributes that OpenNebula returns in another form, or not at all: deepsite stores them as requested. */
final class Noted {
    static final String ATTRIBUTE = "DEEPSITE_ASKED";

    private Noted() {}

    /** @param keys deepsite's names of the attributes */
    static void into(Template template, Resource desired, List<String> keys) {
        var values = new TreeMap<String, String>();
        keys.forEach(key -> {
            var value = desired.values().get(key);
            if (value != null) {
                values.put(name(key), value);
            }
        });
        if (!values.isEmpty()) {
            template.vector(ATTRIBUTE, values);
        }
    }

    static SortedMap<String, String> seen(Map<String, String> asked, List<String> keys) {
        var seen = new TreeMap<String, String>();
        keys.forEach(key -> {
            var value = asked.get(name(key));
            if (value != null && !value.isEmpty()) {
                seen.put(key, value);
            }
        });
        return seen;
    }

    /** The name in OpenNebula's format. */
    private static String name(String key) {
        return key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
