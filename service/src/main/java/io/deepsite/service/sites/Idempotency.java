package io.deepsite.service.sites;

import static io.deepsite.service.sites.SiteTable.time;

import io.deepsite.contract.Digests;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Orders that a client may have sent twice, because it did not see the answer. */
final class Idempotency {
    private static final int LONGEST = 200;

    private Idempotency() {}

    /**
     * @return the site of the same order
     * @throws Failure KEY_REUSED, REQUEST
     */
    static Optional<String> find(Handle handle, Caller caller, String key, SiteService.Order order) {
        if (key.isBlank() || key.length() > LONGEST) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST, "The Idempotency-Key is empty, or longer than " + LONGEST + ".", "Send a UUID."));
        }
        var row = handle.createQuery(
                        "SELECT request, site FROM service.idempotency WHERE person = :person AND id = :id")
                .bind("person", caller.id())
                .bind("id", key)
                .map((found, _) -> Map.entry(found.getString("request"), found.getString("site")))
                .findOne();
        if (row.filter(found -> !found.getKey().equals(digest(order))).isPresent()) {
            throw new Failure(Diagnostic.error(
                    Code.KEY_REUSED,
                    "This Idempotency-Key belongs to another order of yours.",
                    "Send a new key with each new order."));
        }
        return row.map(Map.Entry::getValue);
    }

    static void keep(Handle handle, Caller caller, String key, SiteService.Order order, String site, Instant now) {
        handle.execute(
                "INSERT INTO service.idempotency (person, id, request, site, at) VALUES (?, ?, ?, ?, ?)",
                caller.id(),
                key,
                digest(order),
                site,
                time(now));
    }

    private static String digest(SiteService.Order order) {
        return Digests.sha256(order.toString());
    }
}
