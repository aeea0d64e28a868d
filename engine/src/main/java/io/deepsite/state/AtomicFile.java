package io.deepsite.state;

import static java.nio.file.StandardOpenOption.READ;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Writes files atomically: a reader, also after a crash or a power cut, sees the old content or the new, never a mix.
 */
public final class AtomicFile {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    static final Set<PosixFilePermission> OWNER_FOLDER = PosixFilePermissions.fromString("rwx------");

    private AtomicFile() {}

    /** What to write, without the need to have it in memory as a whole. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Where {@link #replace} keeps the old content. */
    static Path backup(Path target) {
        return target.resolveSibling(target.getFileName() + ".backup");
    }

    /**
     * Writes a temporary file, fsyncs it, keeps the old content as the one backup, renames, fsyncs the folder. One
     * writer at a time.
     *
     * @param point prefix of the crash points {@code .before}, {@code .mid} (all written, nothing renamed) and {@code
     *     .after}
     */
    static void replace(Path target, Content content, String point) {
        var aside = target.resolveSibling(target.getFileName() + ".new");
        CrashPoint.pass(point + ".before");
        try {
            Files.deleteIfExists(aside);
            writeNew(aside, content);
            CrashPoint.pass(point + ".mid");
            keep(target);
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(target);
        } catch (IOException e) {
            throw notWritten(target, e);
        }
        CrashPoint.pass(point + ".after");
    }

    /**
     * Creates or replaces the file without a backup; only its owner can read it. Several threads may write at once.
     *
     * @throws Failure STATE_NOT_WRITTEN
     */
    public static void write(Path target, String text) {
        try {
            swap(target, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw notWritten(target, e);
        }
    }

    /** As {@link #write}, for callers with a message of their own. */
    public static void swap(Path target, byte[] bytes) throws IOException {
        var file = target.toAbsolutePath();
        var aside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".new");
        CrashPoint.pass("file.write.before");
        try {
            writeNew(aside, out -> out.write(bytes));
            CrashPoint.pass("file.write.mid");
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(file);
            CrashPoint.pass("file.write.after");
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** Creates the file with its whole content; leaves an existing one alone. */
    static boolean create(Path target, byte[] bytes) throws IOException {
        var aside = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".new");
        try {
            writeNew(aside, out -> out.write(bytes));
            Files.createLink(target, aside);
            syncFolder(target);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** Makes a rename or a new name durable, also in an interrupted thread. */
    static void syncFolder(Path file) throws IOException {
        var interrupted = Thread.interrupted();
        try {
            while (true) {
                try (var folder = FileChannel.open(file.getParent(), READ)) {
                    folder.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static Failure notWritten(Path target, IOException cause) {
        var full = FileFault.full(target, cause, "The recorded state is intact.");
        return new Failure(
                full.orElseGet(() -> Diagnostic.error(
                        Code.STATE_NOT_WRITTEN,
                        "Writing " + target + " failed: " + FileFault.words(cause) + ". The recorded state is intact.",
                        "Free space or fix the permissions, then run the same command again: it resumes"
                                + " where it stopped.")),
                cause);
    }

    private static void keep(Path target) throws IOException {
        if (Files.exists(target)) {
            var link = target.resolveSibling(target.getFileName() + ".backup.new");
            Files.deleteIfExists(link);
            Files.createLink(link, target);
            Files.move(link, backup(target), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Uses a stream: in an interrupted thread a channel would close itself after half the content. */
    private static void writeNew(Path file, Content content) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        var whole = false;
        try (var out = new FileOutputStream(file.toFile())) {
            content.writeTo(out);
            out.getFD().sync();
            whole = true;
        } finally {
            if (!whole) {
                // Half a file would only take space that is missing.
                Files.deleteIfExists(file);
            }
        }
    }
}
