package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The contract of all {@link Runs}; the test of an implementation extends this class. */
public abstract class RunsContractTest {
    protected static final Instant NOON = Instant.parse("2026-11-21T12:00:00.5Z");

    /** Reopens the runs of one site as the holder of its lock. */
    protected abstract Runs open();

    @Test
    void namesARunByItsTimeAndMakesAFolderForItsOwnerOnly() throws IOException {
        var run = open().begin(NOON);

        assertThat(run.id()).isEqualTo("2026-11-21T12-00-00Z");
        assertThat(Files.getPosixFilePermissions(run.folder())).isEqualTo(AtomicFile.OWNER_FOLDER);
    }

    @Test
    void distinguishesTwoRunsOfOneSecondAndKeepsTheirOrder() {
        var runs = open();
        var first = runs.begin(NOON);
        var second = runs.begin(NOON);
        var third = runs.begin(NOON.plusSeconds(1));

        assertThat(open().all()).containsExactly(first, second, third);
    }

    @Test
    void hasNoneAtFirst() {
        assertThat(open().all()).isEmpty();
    }

    @Test
    void keepsTheLastTwenty() {
        var runs = open();
        for (var i = 0; i < 25; i++) {
            runs.begin(NOON.plusSeconds(i));
        }

        assertThat(open().all()).hasSize(Runs.KEPT);
        assertThat(open().all().getFirst().id()).isEqualTo("2026-11-21T12-00-05Z");
    }

    @Test
    void keepsTheEventsOfARun() {
        var run = open().begin(NOON);
        var other = open().begin(NOON);

        try (var events = open().events(run)) {
            events.add("{\"event\":\"started\",\"what\":\"ä\"}");
            events.add("{\"event\":\"ended\"}");
        }

        assertThat(open().eventsOf(run))
                .containsExactly("{\"event\":\"started\",\"what\":\"ä\"}", "{\"event\":\"ended\"}");
        assertThat(open().eventsOf(other)).isEmpty();
    }

    @Test
    void keepsTheLogsOfARun() throws IOException {
        var run = open().begin(NOON);
        write(run, "ansible-1.log", "PLAY [all]\nä\n");
        write(run, "ansible-2.log", "");
        write(run, "plan.json", "{}");

        open().keep(run);
        open().keep(run);

        assertThat(open().logs(run)).containsOnlyKeys("ansible-1.log", "ansible-2.log");
        assertThat(open().logs(run)).containsEntry("ansible-1.log", "PLAY [all]\nä\n");
    }

    private static void write(Runs.Run run, String name, String text) throws IOException {
        Files.writeString(run.make(name), text);
    }
}
