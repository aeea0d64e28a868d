package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Real programs that must accept this package's files. */
final class Programs {
    private Programs() {}

    static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    static String run(String... command) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s said %s", command[0], out).isZero();
        return out;
    }
}
