package io.deepsite.cluster;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file named in site.yaml, on the machine that runs deepsite. */
public final class LocalFile {
    private LocalFile() {}

    /** @throws Failure FILE_UNREADABLE */
    public static String read(String file) {
        return read(Path.of(file));
    }

    /** @throws Failure FILE_UNREADABLE */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE,
                            Where.file(file.toString()),
                            "site.yaml names it: " + FileFault.words(e),
                            "Put the file there, or name another."),
                    e);
        }
    }
}
