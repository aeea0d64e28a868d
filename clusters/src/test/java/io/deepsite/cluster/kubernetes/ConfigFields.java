package io.deepsite.cluster.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Checks configuration as strictly as Kubernetes: an unknown field, or one of the wrong type, is a fault. */
final class ConfigFields {
    private static final Path TABLE = Path.of("src/test/resources/golden/kubernetes/fields.yaml");

    private final Map<String, Map<String, Map<String, Object>>> apis;
    private final List<String> faults = new ArrayList<>();

    private ConfigFields() throws IOException {
        apis = yaml().load(Files.readString(TABLE));
    }

    /** The faults of a text's documents; empty if there are none. */
    static List<String> faults(String text) throws IOException {
        var fields = new ConfigFields();
        for (var document : yaml().loadAll(text)) {
            fields.document((Map<?, ?>) document);
        }
        return fields.faults;
    }

    private static Yaml yaml() {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options));
    }

    private void document(Map<?, ?> document) {
        var types = apis.get(String.valueOf(document.get("apiVersion")));
        var kind = String.valueOf(document.get("kind"));
        if (types == null || !types.containsKey(kind)) {
            faults.add("no such type: " + document.get("apiVersion") + " " + kind);
            return;
        }
        object(types, kind, document, kind);
    }

    private void object(Map<String, Map<String, Object>> types, String type, Map<?, ?> object, String path) {
        object.forEach((key, value) -> {
            if (path.equals(type) && (key.equals("apiVersion") || key.equals("kind"))) {
                return;
            }
            var wanted = types.get(type).get(key);
            if (wanted == null) {
                faults.add(path + " has no field " + key);
            } else {
                value(types, wanted, value, path + "." + key);
            }
        });
    }

    private void value(Map<String, Map<String, Object>> types, Object wanted, Object value, String path) {
        boolean fits;
        if (wanted instanceof List<?> list && value instanceof List<?> values) {
            values.forEach(element -> value(types, list.getFirst(), element, path + "[]"));
            fits = true;
        } else if (types.containsKey(String.valueOf(wanted)) && value instanceof Map<?, ?> map) {
            object(types, String.valueOf(wanted), map, path);
            fits = true;
        } else {
            fits = switch (String.valueOf(wanted)) {
                case "text" -> value instanceof String;
                case "number" -> value instanceof Integer;
                case "truth" -> value instanceof Boolean;
                case "texts" -> isMapOf(String.class, value);
                case "truths" -> isMapOf(Boolean.class, value);
                case "any" -> true;
                default -> false;
            };
        }
        if (!fits) {
            faults.add(path + " is " + value + ", not " + wanted);
        }
    }

    private static boolean isMapOf(Class<?> type, Object value) {
        return value instanceof Map<?, ?> map && map.values().stream().allMatch(type::isInstance);
    }
}
