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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What was begun and how it ended: one JSON object per line, on disk before the call returns. A run that ends early leaves
 * it; the next one looks at {@link #openIntents()}, finds out what became of them, and goes on in the same file.
 * Any thread may append; the process holds the site's lock.
 */
public final class Journal implements AutoCloseable {
    private final StateFolder folder;
    private final Path path;
    private final InstantSource clock;
    private final ReentrantLock guard = new ReentrantLock();
    private final List<JournalEntry> entries;

    /** Opened by the first append, so that looking leaves no trace. */
    private @Nullable RandomAccessFile file;

    private long length;

    private Journal(StateFolder folder, InstantSource clock, JournalContents contents) {
        this.folder = folder;
        this.path = folder.journalFile();
        this.clock = clock;
        this.entries = new ArrayList<>(contents.entries());
        this.length = contents.length();
    }

    /**
     * @param notices gets a warning when the last line is torn; the next append overwrites it
     * @throws Failure JOURNAL_UNREADABLE
     */
    public static Journal open(StateFolder folder, InstantSource clock, Consumer<Diagnostic> notices) {
        var contents = JournalContents.read(folder.journalFile());
        var torn = contents.torn();
        if (torn != null) {
            notices.accept(torn);
        }
        return new Journal(folder, clock, contents);
    }

    /** To be called before the call it speaks of: on return the intent survives a power cut. */
    public JournalEntry intent(String run, String step, Map<String, String> detail) {
        return append(run, step, EntryKind.INTENT, detail);
    }

    public JournalEntry done(String run, String step, Map<String, String> detail) {
        return append(run, step, EntryKind.DONE, detail);
    }

    /** Only when it is certain that nothing was changed; what is not certain stays open. */
    public JournalEntry failed(String run, String step, Map<String, String> detail) {
        return append(run, step, EntryKind.FAILED, detail);
    }

    public List<JournalEntry> entries() {
        guard.lock();
        try {
            return List.copyOf(entries);
        } finally {
            guard.unlock();
        }
    }

    /** What was begun, also by an earlier run, and not ended. */
    public List<JournalEntry> openIntents() {
        return new JournalContents(entries(), 0, null).openIntents();
    }

    /** Ends what earlier runs left open, once the world was looked at again: then nothing of it is uncertain any more. */
    public void settle(String run) {
        openIntents().forEach(entry -> failed(run, entry.step(), Map.of("why", "looked at again by this run")));
    }

    /**
     * Ends a completed run: the journal moves into the run's folder, and the next entry begins a new one.
     *
     * @throws IllegalStateException when an intent is open; dropping it would lose what it speaks of
     */
    public void finish(Path runFolder) {
        guard.lock();
        try {
            var open = openIntents();
            if (!open.isEmpty()) {
                throw new IllegalStateException("the run is not complete, " + open.size() + " intents are open");
            }
            close();
            CrashPoint.pass("journal.finish.before");
            if (Files.exists(path)) {
                Files.move(path, runFolder.resolve(path.getFileName()), StandardCopyOption.ATOMIC_MOVE);
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

    private JournalEntry append(String run, String step, EntryKind event, Map<String, String> detail) {
        var point = "journal." + event.name().toLowerCase(Locale.ROOT);
        guard.lock();
        try {
            CrashPoint.pass(point + ".before");
            var seq = entries.isEmpty() ? 1 : entries.getLast().seq() + 1;
            var entry = JournalEntry.of(seq, clock.instant(), run, step, event, detail);
            write((StateJson.MAPPER.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8));
            entries.add(entry);
            CrashPoint.pass(point + ".after");
            return entry;
        } catch (IOException e) {
            throw AtomicFile.notWritten(path, e);
        } finally {
            guard.unlock();
        }
    }

    private void write(byte[] line) throws IOException {
        var out = file == null ? begin() : file;
        file = out;
        try {
            out.seek(length);
            out.write(line);
            out.getFD().sync();
            length += line.length;
        } catch (IOException e) {
            // Half a line would make the next one unreadable.
            out.setLength(length);
            throw e;
        }
    }

    /** A plain file and no channel: a channel closes itself when a cancelled thread writes to it. */
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
