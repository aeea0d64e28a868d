package io.deepsite.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes programs that tests execute. This process never opens such a file for writing: a process that another test
 * starts at that moment would inherit the open file, and Linux refuses to run a file open for writing ("Text file
 * busy").
 */
public final class Executable {
    private Executable() {}

    /** Replaces an existing file. */
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
