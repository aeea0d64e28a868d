package io.deepsite.diag;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Says why a file operation failed: Java's own messages are often just the file's name. */
public final class FileFault {
    /** A file system with less free space counts as full if no other cause is known: one log line takes as much. */
    private static final long NO_ROOM = 4 * 1024;

    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded");

    private FileFault() {}

    /**
     * The diagnostic of a write that found no space; empty if it failed for another reason.
     *
     * @param kept what was not lost, as a sentence; empty if that is obvious
     */
    public static Optional<Diagnostic> full(Path file, IOException fault, String kept) {
        var words = words(fault);
        return FULL.stream().anyMatch(words::contains) || hasNoRoom(file)
                ? Optional.of(full(file, kept))
                : Optional.empty();
    }

    /** The same for another program's write, which does not say why it failed. */
    public static Diagnostic full(Path file, String kept) {
        var folder = folder(file);
        String place;
        try {
            var store = Files.getFileStore(folder);
            long free = store.getUsableSpace();
            place = "The file system " + store + " is full: " + free + " bytes of it are free"
                    + (free < NO_ROOM ? "." : ", so its inodes or this user's quota are used up.");
        } catch (IOException e) {
            place = "The file system of " + folder + " is full.";
        }
        return Diagnostic.error(
                Code.DISK_FULL,
                (place + " " + file + " could not be written whole. " + kept).strip(),
                "Free space there, then run the same command again: it resumes where it stopped.",
                "df -h " + folder,
                "df -i " + folder);
    }

    public static boolean hasNoRoom(Path file) {
        try {
            return Files.getFileStore(folder(file)).getUsableSpace() < NO_ROOM;
        } catch (IOException e) {
            return false;
        }
    }

    /** Of a file that the user asked for. */
    public static Failure notWritten(Path file, IOException why) {
        var reason =
                why instanceof NoSuchFileException ? "its folder does not exist" : String.valueOf(why.getMessage());
        return new Failure(
                full(file, why, "")
                        .orElseGet(() -> Diagnostic.error(
                                Code.FILE_NOT_WRITTEN,
                                file + " cannot be written: " + reason + ".",
                                "Make the folder, mend its rights, or name another file.")),
                why);
    }

    private static Path folder(Path file) {
        var folder = file.toAbsolutePath();
        while (folder.getParent() != null && !Files.isDirectory(folder)) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Phrased to end a sentence, without the full stop. */
    public static String words(IOException fault) {
        return switch (fault) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException denied -> "this user has no permission for " + denied.getFile();
            case DirectoryNotEmptyException full -> full.getFile() + " is a folder, and not empty";
            case FileAlreadyExistsException there -> there.getFile() + " already exists";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> {
                var message = fault.getMessage();
                yield message == null || message.isBlank() ? fault.getClass().getSimpleName() : message;
            }
        };
    }
}
