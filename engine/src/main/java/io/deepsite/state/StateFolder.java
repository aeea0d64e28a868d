package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/** The folder of one site's state, readable by its owner only. */
public record StateFolder(Path path) {

    /** {@code <folder of site.yaml>/.deepsite/<site>}; touches nothing. */
    public static StateFolder of(Path siteFile, String site) {
        return new StateFolder(
                siteFile.toAbsolutePath().resolveSibling(".deepsite").resolve(site));
    }

    /** Creates the folder if needed and removes the permissions of others. */
    public StateFolder make() {
        try {
            Files.createDirectories(path, PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_FOLDER));
            if (!Files.getPosixFilePermissions(path).equals(AtomicFile.OWNER_FOLDER)) {
                Files.setPosixFilePermissions(path, AtomicFile.OWNER_FOLDER);
            }
            return this;
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        }
    }

    public boolean exists() {
        return Files.isDirectory(path);
    }

    /** With everything in it. */
    public void delete() {
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            // Nothing is there to delete.
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.STATE_NOT_WRITTEN,
                            "The folder " + path + " of a site that has ended cannot be removed: " + e + ".",
                            "Remove it by hand."),
                    e);
        }
    }

    public Path stateFile() {
        return path.resolve("state.json");
    }

    public Path journalFile() {
        return path.resolve("journal.ndjson");
    }

    public Path lockFile() {
        return path.resolve("lock");
    }

    public Path vaultFile() {
        return path.resolve("vault.yml");
    }

    /** The rendered templates; not part of the state. */
    public Path renderedFile() {
        return path.resolve("rendered.json");
    }

    public Path runsFolder() {
        return path.resolve("runs");
    }
}
