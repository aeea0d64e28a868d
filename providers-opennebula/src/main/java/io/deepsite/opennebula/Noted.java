package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Attributes that OpenNebula tells otherwise than it was asked, or not at all: they are written down as they were asked. */
final class Noted {
    static final String ATTRIBUTE = "DEEPSITE_ASKED";

    private Noted() {}

    /** @param keys of the attributes, as deepsite has them */
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

    /** As OpenNebula writes names. */
    private static String name(String key) {
        return key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
