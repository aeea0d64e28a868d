package io.deepsite.service.sites;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.postgresql.Database;
import io.deepsite.postgresql.PostgresStores;
import io.deepsite.service.records.Tables;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same with tables of the service and records of its sites in PostgreSQL. */
class ChangeOfASiteOnPostgresIT extends ChangeOfASiteTest {
    private final FreshDatabase fresh = new FreshDatabase();
    private final Database database = fresh.open();

    @Override
    ServiceLab lab(Quota quota) {
        var environment = new HashMap<>(environment());
        environment.put("DEEPSITE_VAULT_KEY_FILE", Replica.vaultKey(folder));
        return new ServiceLab(folder, quota, Tables.in(database), environment, PostgresStores.in(database), false);
    }

    /** Else each would wait for the other: whoever counts takes the project first, then its sites. */
    @Test
    void aSiteIsChangedWhileSomebodyCountsItsProject() {
        var lab = lab(Quota.NONE);
        var id = lab.order(1).site().id();
        lab.await(id, SiteStatus.PLANNED);

        var status = lab.tables.in(handle -> {
            SiteTable.lockProject(handle, ServiceLab.BIOLOGY.value());
            return CompletableFuture.supplyAsync(() -> lab.sites.confirm(ServiceLab.ALICE, id, true, Optional.empty()))
                    .join()
                    .site()
                    .status();
        });

        assertThat(status).isEqualTo(SiteStatus.WAITING);
        lab.await(id, SiteStatus.READY);
        lab.close();
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        database.close();
        fresh.close();
    }
}
