package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.deepsite.state.JournalEntry.EntryKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of every {@link Journal}; a journal's own test extends this class. */
public abstract class JournalContractTest {
    protected static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Map<String, String> NONE = Map.of();

    /** Reopens the journal of one site, whose clock shows {@link #NOON}, as the holder of its lock. */
    protected abstract Journal open();

    /** A new run of that site. */
    protected abstract Runs.Run run();

    @Test
    void readsBackWhatWasWritten() {
        try (var journal = open()) {
            journal.intent("run-1", "create machine/a", Map.of("name", "läb-a"));
            journal.done("run-1", "create machine/a", Map.of("address", "10.0.0.2"));
        }

        try (var journal = open()) {
            assertThat(journal.entries())
                    .containsExactly(
                            JournalEntry.of(
                                    1, NOON, "run-1", "create machine/a", EntryKind.INTENT, Map.of("name", "läb-a")),
                            JournalEntry.of(
                                    2,
                                    NOON,
                                    "run-1",
                                    "create machine/a",
                                    EntryKind.DONE,
                                    Map.of("address", "10.0.0.2")));
        }
    }

    @Test
    void knowsWhatWasBegunAndNotEndedAlsoByAnEarlierRun() {
        try (var journal = open()) {
            journal.intent("run-1", "a", NONE);
            journal.intent("run-1", "b", NONE);
            journal.intent("run-1", "c", NONE);
            journal.intent("run-1", "d", NONE);
            journal.done("run-1", "b", NONE);
            journal.failed("run-1", "c", Map.of("why", "quota"));
        }

        try (var journal = open()) {
            journal.intent("run-2", "c", NONE);
            journal.done("run-2", "a", NONE);

            assertThat(journal.openIntents()).extracting(JournalEntry::step).containsExactly("d", "c");
            assertThat(journal.openIntents()).extracting(JournalEntry::run).containsExactly("run-1", "run-2");
        }
    }

    @Test
    void settlesWhatAnEarlierRunLeftOpenSoThatARunCanEnd() {
        try (var journal = open()) {
            journal.intent("run-1", "a", NONE);
            journal.intent("run-1", "b", NONE);
            journal.done("run-1", "b", NONE);
        }

        try (var journal = open()) {
            journal.settle("run-2");

            assertThat(journal.openIntents()).isEmpty();
            assertThat(journal.entries().getLast().step()).isEqualTo("a");
        }
    }

    @Test
    void beginsAnewWhenARunIsComplete() {
        var run = run();
        try (var journal = open()) {
            journal.intent(run.id(), "a", NONE);
            journal.done(run.id(), "a", NONE);

            journal.finish(run);

            assertThat(journal.entries()).isEmpty();
            journal.intent("next", "b", NONE);
        }
        try (var journal = open()) {
            assertThat(journal.entries()).extracting(JournalEntry::step).containsExactly("b");
        }
    }

    @Test
    void aRunWithSomethingOpenIsNotComplete() {
        var run = run();
        try (var journal = open()) {
            journal.intent(run.id(), "a", NONE);

            assertThatIllegalStateException().isThrownBy(() -> journal.finish(run));
        }
        try (var journal = open()) {
            assertThat(journal.openIntents()).hasSize(1);
        }
    }

    @Test
    void keepsStepsThatBeginTogetherInTheirOrder() {
        var details = new LinkedHashMap<String, Map<String, String>>();
        details.put("z", NONE);
        details.put("a", Map.of("name", "x"));
        try (var journal = open()) {
            journal.append("run-1", EntryKind.INTENT, details);
            journal.append("run-1", EntryKind.INTENT, Map.of());
        }

        try (var journal = open()) {
            assertThat(journal.entries()).extracting(JournalEntry::step).containsExactly("z", "a");
        }
    }

    @Test
    void losesNoneOfWhatManyThreadsWrite() throws InterruptedException {
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

        try (var journal = open()) {
            assertThat(journal.entries()).hasSize(64);
            assertThat(journal.entries()).extracting(JournalEntry::seq).doesNotHaveDuplicates();
            assertThat(journal.openIntents()).isEmpty();
        }
    }
}
