package io.deepsite.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.state.LockOwner;
import io.deepsite.state.Runs;
import io.deepsite.state.RunsContractTest;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresRunsIT extends RunsContractTest {
    private PostgresStores stores;

    @BeforeEach
    void open(@TempDir Path folder) {
        stores = new TestDatabase(folder).machine();
        stores.lock().acquire("test");
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Override
    protected Runs open() {
        return stores.runs();
    }

    @Test
    void anotherMachineReadsLogsAndEventsAndBeginsNoRunOfTheSameName(@TempDir Path folder) throws Exception {
        var database = new TestDatabase(folder);
        var owner = LockOwner.current("0.1.0");
        try (var here = database.machine(1, owner, TestDatabase.LONG, NOON);
                var there = database.machine(2, owner, TestDatabase.LONG, NOON)) {
            Runs.Run run;
            try (var _ = here.lock().acquire("apply")) {
                run = here.runs().begin(NOON);
                Files.writeString(run.make("ansible-1.log"), "ok \0 changed\n");
                try (var events = here.runs().events(run)) {
                    events.add("{}");
                }
                here.runs().keep(run);
            }

            var seen = there.runs().all().getFirst();
            assertThat(there.runs().logs(seen)).containsEntry("ansible-1.log", "ok \\0 changed\n");
            assertThat(there.runs().eventsOf(seen)).containsExactly("{}");
            try (var _ = there.lock().acquire("apply")) {
                assertThat(there.runs().begin(NOON).id()).isNotEqualTo(run.id());
            }
        }
    }
}
