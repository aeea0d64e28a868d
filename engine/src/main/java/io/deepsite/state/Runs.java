package io.deepsite.state;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** The folders of the last runs: resolved plan, events, Ansible's log, the journal of a completed run. */
public final class Runs {
    public static final int KEPT = 20;

    private static final Pattern ID = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ(\\.\\d{3})?");

    private final StateFolder folder;

    public Runs(StateFolder folder) {
        this.folder = folder;
    }

    /** @param id its time in UTC, to the second: ids sort by age */
    public record Run(String id, Path folder) {

        /** Creates an empty file in the folder, readable by its owner only. */
        public Path make(String name) {
            var file = folder.resolve(name);
            try {
                return Files.createFile(file, PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_ONLY));
            } catch (IOException e) {
                throw AtomicFile.notWritten(file, e);
            }
        }
    }

    /** Creates the folder of a new run, and deletes the oldest beyond {@link #KEPT}. */
    public Run begin(Instant at) {
        try {
            var attributes = PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_FOLDER);
            folder.make();
            Files.createDirectories(folder.runsFolder(), attributes);
            var time = at.truncatedTo(ChronoUnit.SECONDS).toString().replace(':', '-');
            var run = run(time);
            for (var more = 2; !made(run.folder(), attributes); more++) {
                run = run("%s.%03d".formatted(time, more));
            }
            prune(run);
            return run;
        } catch (IOException e) {
            throw AtomicFile.notWritten(folder.runsFolder(), e);
        }
    }

    /** Oldest first. */
    public List<Run> all() {
        if (!Files.isDirectory(folder.runsFolder())) {
            return List.of();
        }
        try (var children = Files.list(folder.runsFolder())) {
            return children.filter(Files::isDirectory)
                    .map(child -> child.getFileName().toString())
                    .filter(name -> ID.matcher(name).matches())
                    .sorted()
                    .map(this::run)
                    .toList();
        } catch (IOException e) {
            throw AtomicFile.notWritten(folder.runsFolder(), e);
        }
    }

    private Run run(String id) {
        return new Run(id, folder.runsFolder().resolve(id));
    }

    private void prune(Run current) throws IOException {
        var runs = all();
        for (var run : runs.subList(0, Math.max(0, runs.size() - KEPT))) {
            if (!run.equals(current)) {
                delete(run.folder());
            }
        }
    }

    private static boolean made(Path path, FileAttribute<?> attributes) throws IOException {
        try {
            Files.createDirectory(path, attributes);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /** Links are removed, not followed. */
    private static void delete(Path tree) throws IOException {
        try (var paths = Files.walk(tree)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
