package io.deepsite.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
    private static final Map<String, String> NONE = Map.of();

    @Test
    void readsWhatLibpqReads() {
        var url = DatabaseUrl.parse("postgresql://ops@db.example.org:6432/sites?sslrootcert=%2Fetc%2Fca.pem", NONE);

        assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db.example.org:6432/sites");
        assertThat(url.properties(NONE))
                .containsEntry("user", "ops")
                .containsEntry("sslrootcert", "/etc/ca.pem")
                .doesNotContainKey("password");
        assertThat(url).hasToString("postgresql://db.example.org:6432/sites");
    }

    @Test
    void trustsNoServerOnTheWayWithoutACertificate() {
        assertThat(DatabaseUrl.parse("postgresql://ops@db/sites", NONE).options())
                .containsEntry("sslmode", "verify-full");
        assertThat(DatabaseUrl.parse("postgresql://ops@db/sites?sslmode=disable", NONE)
                        .options())
                .containsEntry("sslmode", "disable");
        assertThat(DatabaseUrl.parse("postgresql://ops@127.0.0.1/sites", NONE).options())
                .isEmpty();
    }

    @Test
    void takesUserAndPasswordFromTheEnvironment() {
        var environment = Map.of("PGUSER", "ops", "PGPASSWORD", "hunter2");
        var url = DatabaseUrl.parse("postgresql://localhost/sites", environment);

        assertThat(url.user()).isEqualTo("ops");
        assertThat(url.properties(environment)).containsEntry("password", "hunter2");
        assertThat(url.toString()).doesNotContain("ops", "hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://ops@/sites",
                "postgresql://db",
                "postgresql://db/",
                "postgresql://db/sites?options=-csearch_path%3Dx",
                "postgresql://db/sites?sslmode",
                "postgresql://ops:hunter2@d b/sites",
            })
    void refusesWhatItCannotUse(String text) {
        var failure = catchThrowableOfType(Failure.class, () -> DatabaseUrl.parse(text, NONE));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STORE_UNKNOWN);
        assertThat(failure.diagnostics().getFirst().why()).doesNotContain("hunter2");
    }

    @Test
    void refusesAPasswordThatOthersCouldRead() {
        FaultMessage.assertReads(
                "state/DS4120-password-in-url", () -> DatabaseUrl.parse("postgresql://ops:hunter2@db/sites", NONE));
    }

    @Test
    void saysWhichDatabaseDoesNotAnswer() {
        // Nothing listens on port 1.
        try (var database = new Database(DatabaseUrl.parse("postgresql://ops@127.0.0.1:1/sites", NONE), NONE)) {
            FaultMessage.assertReads("state/DS4121-nobody-listens", () -> database.in(_ -> true));
        }
    }

    @Test
    void refusesTablesOfALaterVersion() {
        var url = DatabaseUrl.parse("postgresql://ops@db.example.org/sites", NONE);

        FaultMessage.assertReads("state/DS4122-tables-of-a-later-version", () -> {
            throw Database.tooNew(url, 7);
        });
    }
}
