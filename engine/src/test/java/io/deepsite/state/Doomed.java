package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Another Java process that works on a state folder until a crash point ends it. */
final class Doomed {
    static final int KILLED = 137;

    private Doomed() {}

    /** Runs the class's {@code main} there and returns what it printed. */
    static String run(Class<?> program, String crashAt, int exit, Path folder, String... arguments)
            throws IOException, InterruptedException {
        var process = start(program, crashAt, folder, arguments);
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isEqualTo(exit);
        return out;
    }

    static Process start(Class<?> program, String crashAt, Path folder, String... arguments) throws IOException {
        return start(program, Map.of("DEEPSITE_CRASH_AT", crashAt), folder, arguments);
    }

    static Process start(Class<?> program, Map<String, String> environment, Path folder, String... arguments)
            throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                folder.toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }
}
