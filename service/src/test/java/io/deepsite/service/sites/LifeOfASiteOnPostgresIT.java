package io.deepsite.service.sites;

import io.deepsite.postgresql.Database;
import io.deepsite.postgresql.PostgresStores;
import io.deepsite.service.records.Tables;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** The same with tables of the service and records of its sites in PostgreSQL. */
class LifeOfASiteOnPostgresIT extends LifeOfASiteTest {
    private final FreshDatabase fresh = new FreshDatabase();
    private final Database database = fresh.open();

    @Override
    ServiceLab lab(Quota quota) {
        return new ServiceLab(
                folder,
                quota,
                Tables.in(database),
                Map.of("DEEPSITE_VAULT_KEY_FILE", Replica.vaultKey(folder)),
                PostgresStores.in(database),
                false);
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        database.close();
        fresh.close();
    }
}
