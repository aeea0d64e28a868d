package io.deepsite.service.login;

import io.deepsite.postgresql.Database;
import io.deepsite.service.records.Tables;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** On the PostgreSQL that {@code testbed/postgresql/up} started. */
class PostgresLoginsIT {
    @Test
    void replicasShareLogins() throws Exception {
        var url = Objects.requireNonNull(
                System.getenv("DEEPSITE_POSTGRESQL"), "DEEPSITE_POSTGRESQL is not set: run the lane service-login");
        try (var database = Database.ofService(url, System.getenv());
                var tables = Tables.in(database);
                var provider = new IdentityProvider()) {
            Replicas.shareLogins(tables, provider);
        }
    }
}
