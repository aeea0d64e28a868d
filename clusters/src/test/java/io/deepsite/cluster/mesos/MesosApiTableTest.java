package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of {@code deepsite run} has only fields that Marathon and Chronos know, each of its type. */
class MesosApiTableTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden/work");
    private static final JsonNode TABLE = read(Path.of("../testbed/mesos/api.json"));

    private final Set<String> seen = new TreeSet<>();

    @Test
    void everyFieldIsKnownAndOfItsType() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(".json")).toList()) {
                assertThat(faults(file)).as(file.toString()).isEmpty();
            }
        }

        assertThat(seen)
                .as("the table has no field that no golden file has")
                .containsAll(every("marathon"))
                .containsAll(every("chronos"));
    }

    @Test
    void anUnknownFieldAndAWrongTypeAreFound() {
        assertThat(faults("marathon", "App", JsonMapper.shared().readTree("""
                {"cmd": 1, "helthChecks": [], "healthChecks": [{"protocol": "http", "portIndex": "0"}],
                 "constraints": ["hostname"], "container": {"volumes": [{"hostPath": "/a", "mode": "RO"}]}}""")))
                .containsExactlyInAnyOrder(
                        "App.id is missing",
                        "App.cmd is no string",
                        "App.helthChecks is unknown",
                        "HealthCheck.protocol is no HTTP|HTTPS|TCP|COMMAND|MESOS_TCP|MESOS_HTTP|MESOS_HTTPS",
                        "HealthCheck.portIndex is no integer",
                        "App.constraints is no [string]",
                        "HostVolume.containerPath is missing");
    }

    private List<String> faults(Path file) {
        return file.getFileName().toString().startsWith("marathon")
                ? faults("marathon", "App", read(file))
                : faults("chronos", "Job", read(file));
    }

    private List<String> faults(String api, String entry, JsonNode object) {
        var fields = TABLE.path(api).path(entry);
        var faults = new ArrayList<String>();
        fields.propertyNames().stream()
                .filter(name -> name.endsWith("!") && !object.has(name.substring(0, name.length() - 1)))
                .forEach(name -> faults.add(entry + "." + name.substring(0, name.length() - 1) + " is missing"));
        object.properties().forEach(field -> {
            var place = entry + "." + field.getKey();
            var type = fields.path(field.getKey())
                    .asString(fields.path(field.getKey() + "!").asString(""));
            seen.add(api + " " + place);
            if (type.isEmpty()) {
                faults.add(place + " is unknown");
            } else {
                faults.addAll(faults(api, place, type, field.getValue()));
            }
        });
        return faults;
    }

    private List<String> faults(String api, String place, String type, JsonNode value) {
        if (TABLE.path(api).has(type)) {
            return value.isObject() ? faults(api, type, value) : List.of(place + " is no " + type);
        }
        if (type.startsWith("[") || type.startsWith("{")) {
            boolean right = type.startsWith("[") ? value.isArray() : value.isObject();
            var of = type.substring(1, type.length() - 1);
            return right
                    ? value.valueStream()
                            .flatMap(each -> faults(api, place, of, each).stream())
                            .toList()
                    : List.of(place + " is no " + type);
        }
        boolean right = switch (type) {
            case "string" -> value.isString();
            case "number" -> value.isNumber();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            default -> value.isString() && List.of(type.split("\\|")).contains(value.asString());
        };
        return right ? List.of() : List.of(place + " is no " + type);
    }

    private static List<String> every(String api) {
        return TABLE.path(api).properties().stream()
                .filter(entry -> entry.getValue().isObject())
                .flatMap(entry -> entry.getValue().propertyNames().stream()
                        .map(field -> api + " " + entry.getKey() + "." + field.replace("!", "")))
                .toList();
    }

    private static JsonNode read(Path file) {
        try {
            return JsonMapper.shared().readTree(Files.readString(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
