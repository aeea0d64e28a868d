package io.deepsite.service.login;

import static io.deepsite.service.login.Sessions.time;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import io.deepsite.service.records.Tables;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Logins that the provider has not answered yet. Replicas share them: the answer may come to another one. */
final class PendingLogins {
    /** Time for a password and a second factor at the provider. */
    static final Duration LONGEST = Duration.ofMinutes(15);

    private final Tables tables;
    private final InstantSource clock;

    PendingLogins(Tables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /**
     * @param nonce that the ID token has to name
     * @param verifier that proves to the provider who asked
     * @param returnTo a path of this service
     */
    record Pending(Nonce nonce, CodeVerifier verifier, String returnTo) {}

    /**
     * Also removes those that are over.
     *
     * @param browser that the answer has to come from
     * @return the state that the answer has to name
     */
    String begin(String browser, Pending pending) {
        var state = OpaqueToken.fresh();
        var now = clock.instant();
        tables.in(handle -> {
            handle.execute("DELETE FROM service.login WHERE ends_at <= ?", time(now));
            return handle.execute(
                    "INSERT INTO service.login (state, browser, nonce, verifier, return_to, ends_at) VALUES (?, ?, ?, ?, ?, ?)",
                    OpaqueToken.hash(state),
                    OpaqueToken.hash(browser),
                    pending.nonce().getValue(),
                    pending.verifier().getValue(),
                    pending.returnTo(),
                    time(now.plus(LONGEST)));
        });
        return state;
    }

    /** Takes the one that an answer belongs to: a second answer with the same state finds none. */
    Optional<Pending> take(String browser, String state) {
        return tables.in(handle -> {
            var id = OpaqueToken.hash(state);
            var found = handle.createQuery("""
                            SELECT nonce, verifier, return_to FROM service.login
                            WHERE state = :state AND browser = :browser AND ends_at > :now
                            """)
                    .bind("state", id)
                    .bind("browser", OpaqueToken.hash(browser))
                    .bind("now", time(clock.instant()))
                    .map((row, _) -> new Pending(
                            new Nonce(row.getString("nonce")),
                            new CodeVerifier(row.getString("verifier")),
                            row.getString("return_to")))
                    .findOne();
            // Of two answers at once one deletes the row, and only that one goes on.
            return found.isPresent() && handle.execute("DELETE FROM service.login WHERE state = ?", id) == 1
                    ? found
                    : Optional.empty();
        });
    }
}
