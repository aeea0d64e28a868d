package io.deepsite.service.mail;

import io.deepsite.postgresql.Database;
import io.deepsite.service.sites.FreshDatabase;
import io.deepsite.service.sites.ServiceLab;
import org.junit.jupiter.api.AfterEach;

/** The same with tables in PostgreSQL. */
class MailerOnPostgresIT extends MailerTest {
    private final FreshDatabase fresh = new FreshDatabase();
    private final Database database = fresh.open();

    @Override
    ServiceLab lab() {
        return ServiceLab.onPostgres(folder, ServiceLab.FOUR_MACHINES, database);
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        database.close();
        fresh.close();
    }
}
