package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged tool as a user starts it; {@code DEEPSITE_BIN} names it. */
class PackagedToolIT {
    @TempDir
    private Path folder;

    private record Ended(int exit, String out, String err) {}

    @Test
    void printsItsVersionOnStdoutOnly() throws Exception {
        var ended = deepsite("version");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("deepsite ").endsWith("\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void exitCodeIsTwoIfTheCommandLineIsWrong() throws Exception {
        var ended = deepsite("plan", "--jsno");

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("DS8001").contains("--json");
    }

    @Test
    void writesASiteThatItReads() throws Exception {
        assertThat(deepsite("init").exit()).isZero();

        var ended = deepsite("validate");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).contains("is valid");
    }

    @Test
    void exitCodeIsSixIfTheBackEndIsUnreachable() throws Exception {
        deepsite("init");
        var file = folder.resolve("site.yaml");
        Files.writeString(
                file, Files.readString(file).replace("unix:///var/lib/lxd/unix.socket", "unix://" + folder + "/none"));

        var ended = deepsite("plan");

        assertThat(ended.exit()).isEqualTo(6);
        assertThat(ended.err()).contains("DS2001");
    }

    @Test
    void bashReadsItsCompletion() throws Exception {
        Files.writeString(
                folder.resolve("completion.bash"),
                deepsite("completion", "bash").out());

        assertThat(run(List.of("bash", "-n", "completion.bash")).exit()).isZero();
    }

    private Ended deepsite(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Objects.requireNonNull(System.getenv("DEEPSITE_BIN"), "DEEPSITE_BIN"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private Ended run(List<String> command) throws IOException, InterruptedException {
        var out = folder.resolve("stdout.txt");
        var err = folder.resolve("stderr.txt");
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        int exit = process.waitFor();
        return new Ended(
                exit, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
