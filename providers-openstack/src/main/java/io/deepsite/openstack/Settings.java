package io.deepsite.openstack;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One cloud's settings by name, from clouds.yaml or from OS_* variables. {@code auth} is flattened: the
 * OpenStack clients take its keys beside it, too.
 *
 * @param origin its name in messages
 */
record Settings(String origin, Map<String, Object> values) {

    static Settings ofCloud(String origin, Map<String, Object> cloud) {
        var values = new LinkedHashMap<>(cloud);
        if (cloud.get("auth") instanceof Map<?, ?> auth) {
            auth.forEach((key, value) -> {
                if (value != null) {
                    values.put(String.valueOf(key), value);
                }
            });
        }
        values.remove("auth");
        var settings = new LinkedHashMap<String, Object>();
        values.forEach((key, value) -> settings.put(key.replace('-', '_').replace("tenant", "project"), value));
        return new Settings(origin, settings);
    }

    /** {@code OS_USERNAME} is username, and so on. */
    static Settings ofVariables(Environment environment) {
        var settings = new LinkedHashMap<String, Object>();
        environment.variables().keySet().stream()
                .filter(name -> name.startsWith("OS_"))
                .sorted()
                .forEach(name -> environment
                        .variable(name)
                        .ifPresent(value -> settings.put(
                                name.substring(3).toLowerCase(Locale.ROOT).replace("tenant", "project"), value)));
        return new Settings("the OS_* variables", settings);
    }

    Optional<String> text(String... keys) {
        for (var key : keys) {
            var value = values.get(key);
            if (value != null
                    && !(value instanceof Map)
                    && !(value instanceof List)
                    && !value.toString().isBlank()) {
                return Optional.of(value.toString().strip());
            }
        }
        return Optional.empty();
    }

    boolean isTrue(String key) {
        return text(key).filter(text -> text.matches("(?i)true|yes|on|1")).isPresent();
    }

    boolean isFalse(String key) {
        return text(key).filter(text -> text.matches("(?i)false|no|off|0")).isPresent();
    }

    /** Regions are a list of names, or of maps with a name. */
    Optional<String> region() {
        var named = text("region_name");
        if (named.isPresent() || !(values.get("regions") instanceof List<?> regions) || regions.isEmpty()) {
            return named;
        }
        var first = regions.getFirst();
        return Optional.of(String.valueOf(first instanceof Map<?, ?> region ? region.get("name") : first));
    }

    /** Without the values: they hold secrets. */
    @Override
    public String toString() {
        return "the settings of " + origin;
    }
}
