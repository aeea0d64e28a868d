package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/** A file that only its owner reads, and that others see whole: the old one or the new one. */
final class OwnerFile {
    private OwnerFile() {}

    /** @throws Failure STATE_NOT_WRITTEN */
    static void write(Path file, String text) {
        var aside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".new");
        try {
            try {
                var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
                Files.createFile(aside, mode);
                // Not a channel: that closes itself when the thread is interrupted.
                try (var out = new FileOutputStream(aside.toFile())) {
                    out.write(text.getBytes(StandardCharsets.UTF_8));
                    out.getFD().sync();
                }
                Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(aside);
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.STATE_NOT_WRITTEN,
                            "Writing " + file + " failed: " + FileFault.words(e)
                                    + ". What was there before is still there, complete.",
                            "Make room or mend the permissions, then run the same command again: it resumes where it stopped."),
                    e);
        }
    }
}
