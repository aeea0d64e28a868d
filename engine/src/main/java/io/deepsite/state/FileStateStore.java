package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/** The state as one JSON file in the state folder, with one backup beside it. */
public final class FileStateStore implements StateStore {
    private final StateFolder folder;
    /** Made by the first write: to read that there is no state takes no JSON. */
    private @Nullable StateWriter writer;

    /** What this store wrote last, which it need not read again as long as it is there. */
    private @Nullable Written last;

    /** A written file, and the state in it. */
    private record Written(Version version, Object file, FileTime modified) {}

    public FileStateStore(StateFolder folder) {
        this.folder = folder;
    }

    @Override
    public Optional<SiteState> read() {
        return bytes().map(this::state);
    }

    @Override
    public SiteState write(SiteState next) {
        folder.make();
        refuseStale(next);
        return replace(next);
    }

    @Override
    public SiteState supersede(SiteState next) {
        var recorded = read();
        if (recorded.isEmpty()) {
            return write(next);
        }
        if (!recorded.get().isEmpty()) {
            throw stale(
                    next, new Version(recorded.get().lineage(), recorded.get().serial()));
        }
        return replace(next);
    }

    private SiteState replace(SiteState next) {
        var written = next.withSerial(next.serial() + 1);
        var text = writer == null ? new StateWriter() : writer;
        writer = text;
        AtomicFile.replace(folder.stateFile(), out -> text.write(written, out), "state.write");
        last = attributes()
                .map(file -> new Written(
                        new Version(written.lineage(), written.serial()), file.fileKey(), file.lastModifiedTime()))
                .orElse(null);
        return written;
    }

    private Optional<BasicFileAttributes> attributes() {
        try {
            return Optional.of(Files.readAttributes(folder.stateFile(), BasicFileAttributes.class));
        } catch (IOException e) {
            // Reading it says why.
            return Optional.empty();
        }
    }

    private @Nullable Version present() {
        var known = last;
        var file = attributes();
        return known != null
                        && file.isPresent()
                        && known.file().equals(file.get().fileKey())
                        && known.modified().equals(file.get().lastModifiedTime())
                ? known.version()
                : bytes().map(this::version).orElse(null);
    }

    private void refuseStale(SiteState next) {
        var present = present();
        if (present == null ? next.serial() == 0 : present.equals(new Version(next.lineage(), next.serial()))) {
            return;
        }
        throw stale(next, present);
    }

    private Failure stale(SiteState next, @Nullable Version present) {
        var file = folder.stateFile();
        var found = present == null
                ? file + " is gone."
                : present.lineage().equals(next.lineage())
                        ? file + " has serial " + present.serial() + "."
                        : file + " is of another lineage, " + present.lineage() + ".";
        return new Failure(Diagnostic.error(
                Code.STATE_STALE,
                "This operation works on serial " + next.serial() + " of lineage " + next.lineage() + ", but " + found
                        + " Nothing was written.",
                "Run the command again: it begins from what is recorded now."));
    }

    private Optional<byte[]> bytes() {
        try {
            return Optional.of(Files.readAllBytes(folder.stateFile()));
        } catch (NoSuchFileException e) {
            if (Files.exists(AtomicFile.backup(folder.stateFile()))) {
                // An empty state would forget every machine of the site.
                throw unreadable(folder.stateFile(), "It is missing, but its backup exists.", e);
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.STATE_UNREADABLE,
                            "Reading " + folder.stateFile() + " failed: " + FileFault.words(e) + ".",
                            "Fix the permissions of the state folder, which must belong to you alone."),
                    e);
        }
    }

    private SiteState state(byte[] bytes) {
        return read(bytes, folder.stateFile());
    }

    static SiteState read(byte[] bytes, Path file) {
        return StateJson.read(bytes, file.toString(), (why, cause) -> unreadable(file, why, cause));
    }

    private static Failure unreadable(Path file, String why, @Nullable Throwable cause) {
        var backup = AtomicFile.backup(file);
        return new Failure(
                Diagnostic.error(
                        Code.STATE_UNREADABLE,
                        file + ": " + why + " Nothing was changed.",
                        "deepsite only ever replaces this file as a whole, so something else wrote to it or"
                                + " removed it. The state before the last change is in " + backup
                                + "; restore it, then let plan show what it lacks:",
                        "cp " + backup + " " + file,
                        "deepsite plan"),
                cause);
    }

    /** Skips the hosts instead of building them: a state has thousands. */
    private Version version(byte[] bytes) {
        @Nullable String lineage = null;
        var serial = -1L;
        try (var parser = StateJson.MAPPER.createParser(bytes)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                var name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "lineage" -> lineage = parser.getString();
                    case "serial" -> serial = parser.getLongValue();
                    default -> parser.skipChildren();
                }
            }
        } catch (JacksonException e) {
            lineage = null;
        }
        if (lineage == null) {
            // Damaged: a full read says how.
            var state = state(bytes);
            return new Version(state.lineage(), state.serial());
        }
        return new Version(lineage, serial);
    }

    private record Version(String lineage, long serial) {}
}
