package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a file that the user asked for. */
final class OutputFile {
    private OutputFile() {}

    /**
     * @param site the site.yaml in use, which is never overwritten
     * @throws Failure FILE_NOT_WRITTEN
     */
    static void write(Path file, Path site, String text) {
        try {
            if (Files.exists(file) && Files.isSameFile(file, site)) {
                throw new Failure(Diagnostic.error(
                        Code.FILE_NOT_WRITTEN,
                        file + " is the site file itself; it was not overwritten.",
                        "Name another file."));
            }
            Files.writeString(file, text);
        } catch (IOException e) {
            throw FileFault.notWritten(file, e);
        }
    }
}
