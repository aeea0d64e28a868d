package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The text of a file, or of one scalar in it. {@code firstLine} is the line of the file on which the text begins. */
record RoleText(String file, String text, int firstLine) {

    /** @throws Failure with {@code code} when the file cannot be read */
    static RoleText read(Path path, Code code) {
        try {
            return new RoleText(shown(path), Files.readString(path, StandardCharsets.UTF_8), 1);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            code,
                            Where.file(shown(path)),
                            "The file cannot be read: " + FileFault.words(e) + ".",
                            "It is a part of deepsite; install deepsite again, or name the role or template otherwise."),
                    e);
        }
    }

    RoleText part(String scalar, int line) {
        return new RoleText(file, scalar, line);
    }

    /** @param line of the text, 1-based */
    Where where(int line) {
        List<String> lines = text.lines().toList();
        var shown = line >= 1 && line <= lines.size() ? lines.get(line - 1) : null;
        return new Where(file, firstLine + line - 1, 0, 1, "", shown);
    }

    /** Relative to the working directory where the file lies below it. */
    static String shown(Path path) {
        var here = Path.of("").toAbsolutePath();
        var absolute = path.toAbsolutePath().normalize();
        return absolute.startsWith(here) ? here.relativize(absolute).toString() : absolute.toString();
    }
}
