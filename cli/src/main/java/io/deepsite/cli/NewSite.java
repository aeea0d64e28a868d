package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** A site.yaml that a command writes. */
final class NewSite {
    private NewSite() {}

    /** That of its folder; letters that a name cannot have become dashes. */
    static Name name(Path file) {
        var folder = file.toAbsolutePath().normalize().getParent();
        var words = folder == null || folder.getFileName() == null
                ? ""
                : folder.getFileName()
                        .toString()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9]+", "-")
                        .replaceAll("^[^a-z]+|-+$", "");
        try {
            return new Name(words);
        } catch (IllegalArgumentException e) {
            return new Name("lab");
        }
    }

    /** @param toStdout the command that prints it instead */
    static void write(Path file, String text, String toStdout) {
        try {
            var folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new Failure(Diagnostic.error(
                    Code.FILE_NOT_WRITTEN,
                    file + " is there already; it was left alone.",
                    "Give another name, or print the text and take from it what you want:",
                    toStdout));
        } catch (IOException e) {
            throw FileFault.notWritten(file, e);
        }
    }
}
