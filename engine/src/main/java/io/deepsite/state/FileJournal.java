package io.deepsite.state;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.JournalEntry.EntryKind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The journal as a file of one JSON object per line in the state folder; calls at the same time share the wait for the
 * disk.
 */
public final class FileJournal implements Journal {
    private final StateFolder folder;
    private final Path path;
    private final InstantSource clock;
    private final ReentrantLock guard = new ReentrantLock();
    private final GroupCommit commits = new GroupCommit(guard);
    private final List<JournalEntry> entries;

    /** Opened by the first append, so that reading changes nothing on disk. */
    private @Nullable RandomAccessFile file;

    private long length;

    private FileJournal(StateFolder folder, InstantSource clock, JournalContents contents) {
        this.folder = folder;
        this.path = folder.journalFile();
        this.clock = clock;
        this.entries = new ArrayList<>(contents.entries());
        this.length = contents.length();
    }

    /**
     * @param notices gets a warning if the last line is incomplete; the next append overwrites it
     * @throws Failure JOURNAL_UNREADABLE
     */
    public static FileJournal open(StateFolder folder, InstantSource clock, Consumer<Diagnostic> notices) {
        var contents = JournalContents.read(folder.journalFile());
        var torn = contents.torn();
        if (torn != null) {
            notices.accept(torn);
        }
        return new FileJournal(folder, clock, contents);
    }

    @Override
    public void append(String run, EntryKind event, Map<String, Map<String, String>> details) {
        if (details.isEmpty()) {
            return;
        }
        var point = "journal." + event.name().toLowerCase(Locale.ROOT);
        CrashPoint.pass(point + ".before");
        commits.commit(() -> add(run, event, details), () -> this::sync);
        CrashPoint.pass(point + ".after");
    }

    @Override
    public List<JournalEntry> entries() {
        guard.lock();
        try {
            return List.copyOf(entries);
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void finish(Runs.Run run) {
        guard.lock();
        try {
            requireComplete();
            close();
            CrashPoint.pass("journal.finish.before");
            if (Files.exists(path)) {
                Files.move(path, run.folder().resolve(path.getFileName()), StandardCopyOption.ATOMIC_MOVE);
                AtomicFile.syncFolder(path);
            }
            entries.clear();
            length = 0;
            CrashPoint.pass("journal.finish.after");
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void close() {
        guard.lock();
        try {
            if (file != null) {
                file.close();
                file = null;
            }
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        } finally {
            guard.unlock();
        }
    }

    private void add(String run, EntryKind event, Map<String, Map<String, String>> details) {
        var seq = entries.isEmpty() ? 0 : entries.getLast().seq();
        var now = clock.instant();
        var added = new ArrayList<JournalEntry>();
        var lines = new StringBuilder();
        for (var detail : details.entrySet()) {
            var entry = JournalEntry.of(++seq, now, run, detail.getKey(), event, detail.getValue());
            added.add(entry);
            lines.append(StateJson.MAPPER.writeValueAsString(entry)).append('\n');
        }
        try {
            write(lines.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        }
        entries.addAll(added);
    }

    private void write(byte[] lines) throws IOException {
        var out = file == null ? begin() : file;
        file = out;
        try {
            out.seek(length);
            out.write(lines);
            length += lines.length;
        } catch (IOException e) {
            // Half a line would make the next one unreadable.
            out.setLength(length);
            throw e;
        }
    }

    /** Without the guard; nobody closes the file meanwhile, as the run has not ended. */
    private void sync() {
        try {
            Objects.requireNonNull(file, "nothing was written").getFD().sync();
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        }
    }

    /** Not a channel: a channel closes itself when a cancelled thread writes to it. */
    private RandomAccessFile begin() throws IOException {
        if (!Files.exists(path)) {
            folder.make();
            Files.createFile(path, PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_ONLY));
            AtomicFile.syncFolder(path);
        }
        var opened = new RandomAccessFile(path.toFile(), "rw");
        opened.setLength(length);
        return opened;
    }
}
