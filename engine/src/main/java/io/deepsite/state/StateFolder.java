package io.deepsite.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

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
