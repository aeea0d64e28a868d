package io.deepsite.state;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Folders below the state folder, which have the journal of a completed run, too. */
public final class FileRuns implements Runs {
    private static final String EVENTS = "events.ndjson";
    private static final Pattern ID = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ(\\.\\d{3})?");

    private final StateFolder folder;

    public FileRuns(StateFolder folder) {
        this.folder = folder;
    }

    @Override
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

    @Override
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

    @Override
    public Lines events(Run run) {
        return linesIn(run.make(EVENTS));
    }

    /** Lines as they come, in a file that exists. */
    public static Lines linesIn(Path file) {
        return new EventFile(file);
    }

    @Override
    public List<String> eventsOf(Run run) {
        // A reader of this kind takes half a sign at the end of a log that a full disk cut.
        try (var lines = new BufferedReader(
                new InputStreamReader(Files.newInputStream(run.folder().resolve(EVENTS)), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its folder is where they are kept. */
    @Override
    public void keep(Run run) {}

    @Override
    public SortedMap<String, String> logs(Run run) {
        return logsIn(run.folder());
    }

    /** The logs in the folder of a run: texts by file name. */
    public static SortedMap<String, String> logsIn(Path folder) {
        var logs = new TreeMap<String, String>();
        try (var files = Files.list(folder)) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                logs.put(file.getFileName().toString(), Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return logs;
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

    private static final class EventFile implements Lines {
        private final Path file;
        private final BufferedWriter writer;

        EventFile(Path file) {
            this.file = file;
            try {
                this.writer = Files.newBufferedWriter(file);
            } catch (IOException e) {
                throw AtomicFile.notWritten(file, e);
            }
        }

        @Override
        public synchronized void add(String line) {
            try {
                writer.write(line);
                writer.newLine();
                writer.flush();
            } catch (IOException e) {
                throw AtomicFile.notWritten(file, e);
            }
        }

        @Override
        public synchronized void close() {
            try {
                writer.close();
            } catch (IOException e) {
                throw AtomicFile.notWritten(file, e);
            }
        }
    }
}
