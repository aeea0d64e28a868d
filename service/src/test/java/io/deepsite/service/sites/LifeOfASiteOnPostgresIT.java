package io.deepsite.service.sites;

import io.deepsite.postgresql.Database;
import org.junit.jupiter.api.AfterEach;

/** The same with tables of the service and records of its sites in PostgreSQL. */
class LifeOfASiteOnPostgresIT extends LifeOfASiteTest {
    private final FreshDatabase fresh = new FreshDatabase();
    private final Database database = fresh.open();

    @Override
    ServiceLab lab(Quota quota) {
        return ServiceLab.onPostgres(folder, quota, database);
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        database.close();
        fresh.close();
    }
}
