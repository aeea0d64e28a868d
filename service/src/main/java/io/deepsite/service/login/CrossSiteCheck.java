package io.deepsite.service.login;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.http.Exchange;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses what pages of other sites make a browser send. Two tests: the browser says where a request comes from, and a
 * request that changes something has to hold a token that only pages of this service know.
 */
final class CrossSiteCheck {
    static final String FIELD = "csrf";
    static final String HEADER = "X-CSRF-Token";
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private final String origin;

    CrossSiteCheck(URI seen) {
        this.origin = seen.getScheme() + "://" + seen.getRawAuthority();
    }

    static boolean changesNothing(Exchange exchange) {
        return SAFE.contains(exchange.method());
    }

    /** @throws Failure CROSS_SITE */
    void origin(Exchange exchange) {
        // Behind a proxy that hides the origin, or with a policy that does, the first header still says it.
        var site = exchange.sent("Sec-Fetch-Site");
        boolean own = site.isPresent()
                ? site.get().equals("same-origin")
                : exchange.sent("Origin").map(origin::equals).orElse(true);
        if (!own) {
            throw refused("It comes from a page of another site.");
        }
    }

    /** @throws Failure CROSS_SITE */
    static void token(Exchange exchange, String expected) throws IOException {
        var sent = exchange.sent(HEADER);
        if (sent.isEmpty() && exchange.isForm()) {
            sent = Optional.ofNullable(exchange.form().get(FIELD));
        }
        if (sent.isEmpty()) {
            throw refused("It lacks the token of the session.");
        }
        if (!OpaqueToken.same(sent.get(), expected)) {
            throw refused("Its token is not that of the session: the page is from before the last login.");
        }
    }

    static Failure refused(String why) {
        return new Failure(Diagnostic.error(
                Code.CROSS_SITE,
                why,
                "Load the page again, then send it. Programs send a token of the identity provider (Authorization:"
                        + " Bearer) and no cookie."));
    }
}
