package io.deepsite.postgresql;

import io.deepsite.state.Journal;
import io.deepsite.state.JournalContractTest;
import io.deepsite.state.Runs;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class PostgresJournalIT extends JournalContractTest {
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
    protected Journal open() {
        return stores.journal();
    }

    @Override
    protected Runs.Run run() {
        return stores.runs().begin(NOON);
    }
}
