package io.deepsite.diag;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why the system refused something about a file: Java's own messages are often just the file's name. */
public final class FileFault {
    private FileFault() {}

    /** The end of a sentence, without its full stop. */
    public static String words(IOException fault) {
        return switch (fault) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException denied -> "this user has no rights to " + denied.getFile();
            case DirectoryNotEmptyException full -> full.getFile() + " is a folder, and not empty";
            case FileAlreadyExistsException there -> there.getFile() + " is in the way";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> {
                var message = fault.getMessage();
                yield message == null || message.isBlank() ? fault.getClass().getSimpleName() : message;
            }
        };
    }
}
