package io.deepsite.postgresql;

import io.deepsite.state.SecretStoreContractTest;
import io.deepsite.state.Vault;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class PostgresVaultIT extends SecretStoreContractTest {
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
    protected Vault open() {
        return stores.vault();
    }
}
