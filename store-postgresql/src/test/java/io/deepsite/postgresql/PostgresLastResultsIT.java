package io.deepsite.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.state.LastResults;
import io.deepsite.state.LastResultsContractTest;
import io.deepsite.state.LockOwner;
import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresLastResultsIT extends LastResultsContractTest {
    private TestDatabase database;
    private PostgresStores stores;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = new TestDatabase(folder);
        stores = database.machine();
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Override
    protected LastResults open() {
        return stores.lastResults();
    }

    @Override
    protected void record() {
        try (var _ = stores.lock().acquire("test")) {
            stores.state().write(SiteState.fresh(database.site(), "0.1.0").withLineage("lineage"));
        }
    }

    @Test
    void anotherMachineReadsThemAndTheyAreRemovedWithTheSite() {
        record();
        open().keep("verify", "{}");

        try (var there = database.machine(
                2, LockOwner.current("0.1.0"), TestDatabase.LONG, Instant.parse("2026-11-21T12:00:00Z"))) {
            assertThat(there.lastResults().read("verify")).contains("{}");
            there.remove();
        }
        assertThat(open().read("verify")).isEmpty();
    }
}
