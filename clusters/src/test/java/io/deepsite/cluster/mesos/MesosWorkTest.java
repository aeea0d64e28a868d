package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.cluster.mesos.WorkLoader.Framework;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.render.JsonText;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MesosWorkTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden/work");
    /** The defaults of Marathon and Chronos for omitted fields. */
    private static final Map<String, Object> LEFT_OUT = Map.of(
            "disk",
            0,
            "instances",
            1,
            "gpus",
            0,
            "env",
            Map.of(),
            "labels",
            Map.of(),
            "networks",
            List.of(Map.of("mode", "host")));

    @ParameterizedTest
    @ValueSource(strings = {"marathon-docker", "marathon-gpu", "marathon-gpu-plain", "chronos-gpu"})
    void meansWhatTheSeedWritesByHand(String name) throws IOException {
        var framework = Framework.valueOf(name.split("-")[0].toUpperCase(Locale.ROOT));
        var json = json(Files.readString(FOLDER.resolve(name + ".yaml")), framework);

        Golden.assertSame(FOLDER.resolve(name + ".json"), json);
        assertThat(meaning(json)).isEqualTo(meaning(Files.readString(FOLDER.resolve("seed/" + name + ".json"))));
    }

    @Test
    void aJobForDockerHasANetworkOfItsOwn() {
        assertThat(json("{name: demo, image: debian, command: date}", Framework.CHRONOS))
                .contains("\"type\" : \"DOCKER\"", "\"network\" : \"BRIDGE\"", "\"schedule\" : \"R1//PT24H\"");
    }

    @Test
    void workWithoutAnImageRunsOnItsHost() {
        assertThat(json("{name: demo, command: sleep 60, ports: [{service: 0}]}", Framework.MARATHON))
                .doesNotContain("container")
                .contains("\"mode\" : \"host\"", "\"port\" : 0", "HAPROXY_GROUP");
        assertThat(json("{name: demo, command: sleep 60, ports: [{name: http}]}", Framework.MARATHON))
                .as("nobody from outside reaches it")
                .doesNotContain("HAPROXY_GROUP");
    }

    @Test
    void whoAsksForGpusSaysInWhoseContainer() {
        assertThat(json("{name: demo, command: nvidia-smi, gpus: 1}", Framework.CHRONOS))
                .contains("\"type\" : \"MESOS\"");
        assertThat(json("{name: demo, command: nvidia-smi, gpus: 1}", Framework.MARATHON))
                .contains("\"type\" : \"MESOS\"");
    }

    @Test
    void aDockerContainerOnTheHostsNetworkNamesItOnce() {
        assertThat(json("{name: demo, image: nginx, network: host}", Framework.MARATHON))
                .as("Marathon refuses networks beside container.docker.network")
                .contains("\"networks\"", "\"mode\" : \"host\"")
                .doesNotContain("\"network\" :");
    }

    @ParameterizedTest
    @ValueSource(strings = {"marathon-health", "marathon-health-command", "marathon-mesos-volumes", "chronos-parents"})
    void saysWhereItRunsOnWhatAndAfterWhat(String name) throws IOException {
        var framework = Framework.valueOf(name.split("-")[0].toUpperCase(Locale.ROOT));

        Golden.assertSame(
                FOLDER.resolve(name + ".json"), json(Files.readString(FOLDER.resolve(name + ".yaml")), framework));
    }

    static List<Path> faults() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER.resolve("errors"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void reportsWhatCannotRun(Path file) throws IOException {
        var name = file.getFileName().toString();
        var framework = Framework.valueOf(name.substring(0, name.indexOf('.')).toUpperCase(Locale.ROOT));
        var failure = catchThrowableOfType(
                Failure.class, () -> WorkLoader.load("work.yaml", Files.readString(file), framework));

        assertThat(failure).isNotNull();
        var folder = file.resolveSibling("");
        assertThat(folder.getFileName().toString())
                .startsWith(failure.diagnostics().getFirst().code().id());
        Golden.assertSame(
                file.resolveSibling("stderr.txt"),
                failure.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n")));
    }

    private static String json(String yaml, Framework framework) {
        var work = new MesosWork(WorkLoader.load("work.yaml", yaml, framework));
        return JsonText.of(framework == Framework.MARATHON ? work.app() : work.job());
    }

    /** With defaults filled in, numbers by value, and an app's id without its leading slash. */
    private static Object meaning(String json) {
        var fields = new LinkedHashMap<String, Object>(LEFT_OUT);
        var container = read(json).get("container");
        if (container instanceof Map<?, ?> map && "DOCKER".equals(map.get("type"))) {
            fields.remove("networks");
        }
        fields.putAll(read(json));
        fields.computeIfPresent("id", (_, id) -> id.toString().replaceFirst("^/", ""));
        fields.replaceAll((_, value) -> value instanceof Number number ? new BigDecimal(number.toString()) : value);
        return fields;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> read(String json) {
        return JsonMapper.shared().readValue(json, Map.class);
    }
}
