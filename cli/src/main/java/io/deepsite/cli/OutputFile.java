package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file that the user asked for. */
final class OutputFile {
    private OutputFile() {}

    /**
     * @param site the site.yaml in use, which is never overwritten
     * @throws Failure FILE_NOT_WRITTEN
     */
    static void write(Path file, Path site, String text) {
        write(file, site, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** As {@link #write(Path, Path, String)}, for a file that others read at any time: never half of it. */
    static void replace(Path file, Path site, String text) {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        write(fresh, site, text);
        try {
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw FileFault.notWritten(file, e);
        }
    }

    /** Writes the content of a file. */
    @FunctionalInterface
    interface Content {
        void to(OutputStream file) throws IOException;
    }

    /** As {@link #write(Path, Path, String)}, of a content that is not kept in memory. */
    static void write(Path file, Path site, Content content) {
        try {
            if (Files.exists(file) && Files.isSameFile(file, site)) {
                throw new Failure(Diagnostic.error(
                        Code.FILE_NOT_WRITTEN,
                        file + " is the site file itself; it was not overwritten.",
                        "Name another file."));
            }
            try (var out = Files.newOutputStream(file)) {
                content.to(out);
            }
        } catch (IOException e) {
            throw FileFault.notWritten(file, e);
        }
    }
}
