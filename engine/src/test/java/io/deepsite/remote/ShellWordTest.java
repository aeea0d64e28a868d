package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {
    private static final List<String> NASTY = List.of(
            "",
            " ",
            "'",
            "''",
            "'\\''",
            "\\",
            "\\\\",
            "\"",
            "$HOME",
            "$(touch /tmp/deepsite-was-here)",
            "`id`",
            "${x:?boom}",
            "; exit 7",
            "&& exit 7",
            "| exit 7",
            "\nexit 7\n",
            "a\tb\r\nc",
            "*",
            "?[a-z]",
            "~root",
            "!!",
            "#no comment",
            "-n",
            "--",
            "{a,b}",
            "<(id)",
            "\u0001\u007f\u001b[31m",
            "äöü \u20ac \ud83d\ude00");

    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/usr/bin/dash", "/bin/bash"})
    void isOneWordToARealShell(String shell) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of(shell)), shell + " is not here");
        var words = new ArrayList<>(NASTY);
        long seed = System.nanoTime();
        var random = new Random(seed);
        var signs = "'\"\\$`!*?[]{}()<>|&;# \t\nabz\u00e4\u20ac";
        for (int i = 0; i < 200; i++) {
            var word = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                word.append(signs.charAt(random.nextInt(signs.length())));
            }
            words.add(word.toString());
        }

        var script = "printf '%s\\0' " + ShellWord.quote(words) + "\n";

        assertThat(run(shell, script)).as("seed %d", seed).isEqualTo(String.join("\0", words) + "\0");
    }

    @Test
    void makesVariablesOfTheEnvironment() throws Exception {
        var value = "it's $(id)\n`x`";

        assertThat(run("/bin/sh", ShellWord.export("DEEPSITE_X", value) + "sh -c 'printf %s \"$DEEPSITE_X\"'"))
                .isEqualTo(value);
    }

    @Test
    void refusesWhatNoArgumentCanHold() {
        assertThatIllegalArgumentException().isThrownBy(() -> ShellWord.quote("a\0b"));
        assertThatIllegalArgumentException().isThrownBy(() -> ShellWord.export("x; id", ""));
    }

    private static String run(String shell, String script) throws IOException, InterruptedException {
        var process = new ProcessBuilder(shell, "-s").redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        }
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }
}
