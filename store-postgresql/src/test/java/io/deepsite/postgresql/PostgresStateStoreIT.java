package io.deepsite.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.state.SiteState;
import io.deepsite.state.StateStore;
import io.deepsite.state.StateStoreContractTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresStateStoreIT extends StateStoreContractTest {
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
    protected StateStore open() {
        return stores.state();
    }

    @Test
    void keepsTheLastStateOfEachHolderBefore(@TempDir Path folder) {
        var database = new TestDatabase(folder);
        var state = SiteState.fresh(database.site(), "0.1.0");
        try (var mine = database.machine()) {
            for (int holder = 0; holder < 3; holder++) {
                try (var _ = mine.lock().acquire("apply")) {
                    state = mine.state().write(mine.state().write(state));
                }
            }
        }

        try (var connections = TestDatabase.open()) {
            var kept = connections.in(
                    handle -> handle.createQuery("SELECT serial FROM site_history WHERE site = :site ORDER BY fence")
                            .bind("site", database.site())
                            .mapTo(Long.class)
                            .list());
            assertThat(kept).containsExactly(2L, 4L);
        }
    }
}
