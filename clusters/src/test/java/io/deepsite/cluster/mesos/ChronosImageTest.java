package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.remote.Executable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entry point of our image of Chronos; a script in place of java prints its arguments. */
class ChronosImageTest {
    private static final Path ENTRY_POINT =
            Path.of("../container-images/chronos/entrypoint").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void eachVariableBecomesAnOption() throws Exception {
        assertThat(options(Map.of(
                        "CHRONOS_MASTER",
                        "file:///etc/mesos/zk",
                        "CHRONOS_ZK_HOSTS",
                        "10.0.0.1:2181,10.0.0.2:2181",
                        "CHRONOS_ENABLE_FEATURES",
                        "gpu_resources",
                        "CHRONOS_DISABLE_AFTER_FAILURES",
                        "",
                        "LIBPROCESS_PORT",
                        "15102")))
                .containsExactly(
                        "--disable_after_failures",
                        "--enable_features",
                        "gpu_resources",
                        "--master",
                        "file:///etc/mesos/zk",
                        "--zk_hosts",
                        "10.0.0.1:2181,10.0.0.2:2181");
    }

    @Test
    void aValueIsNeverEvaluatedNorSplit() throws Exception {
        var odd = "a b  $(touch " + folder + "/made) `id` ; * 'q' \"r\" \\";

        assertThat(options(Map.of("CHRONOS_USER", odd))).containsExactly("--user", odd);
        assertThat(folder.resolve("made")).doesNotExist();
    }

    @Test
    void thePasswordOfItsUsersIsInTheEnvironmentOnly() throws Exception {
        assertThat(options(Map.of("CHRONOS_USER", "root", "MESOSPHERE_HTTP_CREDENTIALS", "chronos:s3cret")))
                .containsExactly("--user", "root");
    }

    private List<String> options(Map<String, String> variables) throws IOException, InterruptedException {
        Executable.write(folder.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        var builder = new ProcessBuilder(ENTRY_POINT.toString()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(variables);
        builder.environment().put("PATH", folder + ":/usr/bin:/bin");
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        var arguments = said.lines().toList();
        int main = arguments.indexOf("org.apache.mesos.chronos.scheduler.Main");
        assertThat(main).as(said).isPositive();
        return arguments.subList(main + 1, arguments.size());
    }
}
