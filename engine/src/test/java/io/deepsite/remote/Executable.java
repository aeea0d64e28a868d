package io.deepsite.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes programs that tests have run. This process never opens such a file for writing: a process that another test starts
 * at that moment would hold it open, too, and Linux runs no file that somebody may still write ("Text file busy").
 */
public final class Executable {
    private Executable() {}

    /** Takes the place of what is there. */
    public static Path write(Path file, String text) throws IOException {
        var draft = Files.createTempFile(file.getParent(), "draft", "");
        try {
            Files.writeString(draft, text);
            var install = new ProcessBuilder("install", "-m", "700", draft.toString(), file.toString())
                    .inheritIO()
                    .start();
            if (install.waitFor() != 0) {
                throw new IOException("install did not write " + file);
            }
            return file;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            Files.delete(draft);
        }
    }
}
