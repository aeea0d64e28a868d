package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.diag.Where;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The entries of a journal, as {@code plan} and {@code status} read it without the lock.
 *
 * @param entries in the order written
 * @param length bytes of the complete lines
 * @param torn says that the last line is incomplete and was ignored; null if all lines are complete
 */
public record JournalContents(
        List<JournalEntry> entries, long length, @Nullable Diagnostic torn) {
    public JournalContents {
        entries = List.copyOf(entries);
    }

    /** Intents without an outcome, in the order written. */
    public List<JournalEntry> openIntents() {
        return Journal.openIntents(entries);
    }

    /**
     * A missing journal is empty.
     *
     * @throws Failure JOURNAL_UNREADABLE if a line other than the last is damaged
     */
    public static JournalContents read(Path file) {
        try {
            return parse(Files.readAllBytes(file), file);
        } catch (NoSuchFileException e) {
            return new JournalContents(List.of(), 0, null);
        } catch (IOException e) {
            throw unreadable(file, 0, "Reading it failed: " + FileFault.words(e) + ".", e);
        }
    }

    private static JournalContents parse(byte[] bytes, Path file) {
        var entries = new ArrayList<JournalEntry>();
        var start = 0;
        while (start < bytes.length) {
            var end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            var line = entries.size() + 1;
            if (end == bytes.length) {
                return new JournalContents(entries, start, torn(file, line, end - start));
            }
            try {
                entries.add(Objects.requireNonNull(
                        StateJson.MAPPER.readValue(bytes, start, end - start, JournalEntry.class)));
            } catch (JacksonException | NullPointerException e) {
                // After a power cut the last line may have its length without its content.
                if (end + 1 == bytes.length) {
                    return new JournalContents(entries, start, torn(file, line, end - start));
                }
                throw unreadable(file, line, "It is no journal entry.", e);
            }
            start = end + 1;
        }
        return new JournalContents(entries, start, null);
    }

    private static Diagnostic torn(Path file, int line, int bytes) {
        return Diagnostic.warning(
                Code.JOURNAL_TORN,
                new Where(file.toString(), line, 0, 1, "", null),
                "Its " + bytes + " bytes are ignored: deepsite was killed while it wrote them. An intent that was not"
                        + " written completely was not acted upon; a missing outcome is found by inspection.",
                "");
    }

    private static Failure unreadable(Path file, int line, String why, Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.JOURNAL_UNREADABLE,
                        new Where(file.toString(), line, 0, 1, "", null),
                        why
                                + " deepsite only ever appends to this file, so something else wrote to it, or the"
                                + " disk lost it."
                                + " Nothing was changed.",
                        "Move the file away, then let plan compare the recorded state with the real one:",
                        "mv " + file + " " + file + ".damaged",
                        "deepsite plan"),
                cause);
    }
}
