package io.deepsite.remote;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
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
                try (var channel = FileChannel.open(aside, Set.of(CREATE_NEW, WRITE), mode)) {
                    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    channel.force(true);
                }
                Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(aside);
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.STATE_NOT_WRITTEN,
                            "Writing " + file + " failed: " + e + ". What was there before is still there, complete.",
                            "Make room or mend the permissions, then run the same command again: it resumes where it stopped."),
                    e);
        }
    }
}
