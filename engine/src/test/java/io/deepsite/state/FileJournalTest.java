package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.JournalEntry.EntryKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileJournalTest extends JournalContractTest {
    private static final Map<String, String> NONE = Map.of();

    @TempDir
    Path folder;

    private final List<Diagnostic> notices = new ArrayList<>();

    @Test
    void writesOneSortedObjectPerLine() {
        try (var journal = open()) {
            journal.intent("run-1", "create machine/a", Map.of("name", "lab-a"));
        }

        assertThat(file())
                .content()
                .isEqualTo(
                        "{\"at\":\"2026-11-21T12:00:00Z\",\"detail\":{\"name\":\"lab-a\"},\"event\":\"intent\",\"run\":\"run-1\","
                                + "\"seq\":1,\"step\":\"create machine/a\"}\n");
    }

    @Test
    void readingChangesNothingOnDisk() {
        try (var journal = open()) {
            assertThat(journal.openIntents()).isEmpty();
        }

        assertThat(folder.resolve(".deepsite")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"at\":\"2026-11-21T12:00:00Z\",\"detail\":{}", "\0\0\0\0", "garbage\n", "null\n"})
    void toleratesATornLastLineWithAWarning(String torn) throws IOException {
        try (var journal = open()) {
            journal.intent("run-1", "a", NONE);
        }
        Files.writeString(file(), torn, StandardOpenOption.APPEND);

        try (var journal = open()) {
            journal.done("run-2", "a", NONE);
        }

        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.JOURNAL_TORN);
        assertThat(notices.getFirst().why())
                .startsWith("Its " + torn.stripTrailing().length() + " bytes are ignored");
        assertThat(open().entries()).extracting(JournalEntry::seq).containsExactly(1L, 2L);
        assertThat(notices).hasSize(1);
    }

    @Test
    void survivesBeingCutAnywhere() throws IOException {
        try (var journal = open()) {
            journal.intent("run-1", "a", NONE);
            journal.done("run-1", "a", NONE);
        }
        var whole = Files.readAllBytes(file());
        var lines = Files.readAllLines(file());

        for (var end = 0; end < whole.length; end++) {
            Files.write(file(), Arrays.copyOf(whole, end));
            var complete = end <= lines.getFirst().length() ? 0 : 1;

            assertThat(JournalContents.read(file()).entries())
                    .as("cut at %d", end)
                    .hasSize(complete);
        }
    }

    @Test
    void refusesDamageInTheMiddle() throws IOException {
        try (var journal = open()) {
            journal.intent("run-1", "a", NONE);
        }
        var line = Files.readString(file());
        Files.writeString(file(), line + "garbage\n" + line);

        var failure = catchThrowableOfType(Failure.class, this::open);

        var diagnostic = failure.diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.JOURNAL_UNREADABLE);
        assertThat(diagnostic.where().line()).isEqualTo(2);
        assertThat(file()).hasContent(line + "garbage\n" + line);
    }

    @Test
    void movesIntoTheRunFolderWhenTheRunIsComplete() {
        var run = run();
        try (var journal = open()) {
            journal.intent(run.id(), "a", NONE);
            journal.done(run.id(), "a", NONE);

            journal.finish(run);

            assertThat(journal.entries()).isEmpty();
            assertThat(file()).doesNotExist();
            assertThat(JournalContents.read(run.folder().resolve("journal.ndjson"))
                            .entries())
                    .hasSize(2);
            journal.intent("next", "b", NONE);
            assertThat(journal.entries().getLast().seq()).isEqualTo(1);
        }
    }

    @Test
    void manyThreadsWriteWholeLines() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        try (var journal = open()) {
            for (var i = 0; i < 32; i++) {
                var step = "step-" + i;
                threads.add(Thread.startVirtualThread(() -> {
                    journal.intent("run-1", step, NONE);
                    journal.done("run-1", step, NONE);
                }));
            }
            for (var thread : threads) {
                thread.join();
            }
        }

        assertThat(open().openIntents()).isEmpty();
        assertThat(open().entries())
                .extracting(JournalEntry::seq)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 64).boxed().toList());
    }

    @Test
    void stepsThatBeginTogetherHaveAnEntryEach() {
        try (var journal = open()) {
            journal.append("run-1", EntryKind.INTENT, new TreeMap<>(Map.of("a", NONE, "b", Map.of("why", "x"))));
            journal.append("run-1", EntryKind.DONE, Map.of("a", NONE));
            journal.append("run-1", EntryKind.DONE, Map.of());
        }

        assertThat(open().entries())
                .extracting(entry -> entry.seq() + " " + entry.step() + " " + entry.event() + " " + entry.detail())
                .containsExactly("1 a INTENT {}", "2 b INTENT {why=x}", "3 a DONE {}");
        assertThat(open().openIntents()).extracting(JournalEntry::step).containsExactly("b");
    }

    @Test
    void aCancelledThreadStillWritesItsOutcome() {
        try (var journal = open()) {
            journal.intent("run-1", "a", NONE);
            Thread.currentThread().interrupt();
            journal.done("run-1", "a", NONE);
            var state = new FileStateStore(stateFolder()).write(SiteState.fresh("lab", "0.1.0"));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(state.serial()).isEqualTo(1);
            journal.intent("run-1", "b", NONE);
        }
        assertThat(open().entries()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "intent.before, 1, 0, 0",
        "intent.after, 1, 1, 0",
        "done.before, 1, 1, 1",
        "done.after, 1, 0, 1",
        "intent.after, 2, 1, 1"
    })
    void aKilledRunLeavesWhatItHadBegun(String point, int pass, int open, int calls) throws Exception {
        var out = Doomed.run(TwoSteps.class, "journal." + point + ":" + pass, Doomed.KILLED, folder);

        try (var journal = open()) {
            assertThat(journal.openIntents()).hasSize(open);
            assertThat(out.lines().filter("call"::equals)).hasSize(calls);
        }
        assertThat(notices).isEmpty();
    }

    @Test
    void aRunListsTheCrashPointsThatItPasses() throws Exception {
        var passes = folder.resolve("passes");

        var process = Doomed.start(TwoSteps.class, Map.of("DEEPSITE_CRASH_COUNT", passes.toString()), folder);

        assertThat(process.waitFor()).isZero();
        assertThat(Files.readAllLines(passes))
                .startsWith("journal.intent.before:1", "journal.intent.after:1", "journal.done.before:1")
                .endsWith("journal.done.after:2")
                .hasSize(8);
    }

    @Override
    protected Journal open() {
        return FileJournal.open(stateFolder(), InstantSource.fixed(NOON), notices::add);
    }

    @Override
    protected Runs.Run run() {
        return new FileRuns(stateFolder()).begin(NOON);
    }

    private Path file() {
        return stateFolder().journalFile();
    }

    private StateFolder stateFolder() {
        return StateFolder.of(folder.resolve("site.yaml"), "lab");
    }

    static final class TwoSteps {
        private TwoSteps() {}

        public static void main(String[] arguments) {
            var folder = StateFolder.of(Path.of(arguments[0], "site.yaml"), "lab");
            try (var journal = FileJournal.open(folder, InstantSource.system(), _ -> {})) {
                for (var step : List.of("a", "b")) {
                    journal.intent("run-1", step, NONE);
                    System.out.println("call");
                    journal.done("run-1", step, NONE);
                }
            }
        }
    }
}
