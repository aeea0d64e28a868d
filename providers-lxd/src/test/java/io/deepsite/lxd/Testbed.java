package io.deepsite.lxd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Scripts of the testbed that start what a test needs. */
final class Testbed {
    private Testbed() {}

    static void run(String script, String word) {
        var root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(script))) {
            root = root.getParent();
        }
        try {
            var process = new ProcessBuilder(root.resolve(script).toString(), word)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(script + " " + word + " failed");
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
