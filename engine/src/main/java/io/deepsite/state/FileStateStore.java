package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

/** The state as one JSON file in the state folder, with one backup beside it. */
public final class FileStateStore implements StateStore {
    private final StateFolder folder;

    public FileStateStore(StateFolder folder) {
        this.folder = folder;
    }

    @Override
    public Optional<SiteState> read() {
        return bytes().map(bytes -> StateJson.read(bytes, folder.stateFile()));
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
        AtomicFile.replace(folder.stateFile(), StateJson.write(written), "state.write");
        return written;
    }

    private void refuseStale(SiteState next) {
        var present = bytes().map(this::version).orElse(null);
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
                throw StateJson.unreadable(folder.stateFile(), "It is missing, but its backup exists.", e);
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

    /** Reads no further than both, which stand first: each write checks a state of thousands of hosts. */
    private Version version(byte[] bytes) {
        @Nullable String lineage = null;
        var serial = -1L;
        try (var parser = StateJson.MAPPER.createParser(bytes)) {
            parser.nextToken();
            while ((lineage == null || serial < 0) && parser.nextToken() == JsonToken.PROPERTY_NAME) {
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
            var state = StateJson.read(bytes, folder.stateFile());
            return new Version(state.lineage(), state.serial());
        }
        return new Version(lineage, serial);
    }

    private record Version(String lineage, long serial) {}
}
