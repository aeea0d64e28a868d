package io.deepsite.service.login;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Router;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Finds out who sends a request, and refuses it if that is nobody, too many of them, or a page of another site. */
final class LoginGuard implements Router.Guard {
    private final List<String> publicPaths;
    private final BrowserSessions sessions;
    private final Optional<BearerTokens> tokens;
    private final CrossSiteCheck crossSite;
    private final RequestLimits limits;

    LoginGuard(
            List<String> publicPaths,
            BrowserSessions sessions,
            Optional<BearerTokens> tokens,
            CrossSiteCheck crossSite,
            RequestLimits limits) {
        this.publicPaths = List.copyOf(publicPaths);
        this.sessions = sessions;
        this.tokens = tokens;
        this.crossSite = crossSite;
        this.limits = limits;
    }

    @Override
    public void admit(Exchange exchange) throws IOException {
        limits.countRequest(exchange);
        var token = BearerTokens.sent(exchange);
        if (token.isEmpty() && !CrossSiteCheck.changesNothing(exchange)) {
            crossSite.origin(exchange);
        }
        if (isPublic(exchange.path())) {
            return;
        }
        if (token.isPresent()) {
            // Then the cookie does not count: whoever sends a token is no page of another site.
            exchange.keep(Person.class, program(exchange, token.get()));
        } else {
            browser(exchange);
        }
        limits.count(Logins.required(exchange), exchange);
    }

    private boolean isPublic(String path) {
        return publicPaths.stream().anyMatch(open -> open.endsWith("/") ? path.startsWith(open) : path.equals(open));
    }

    private Person program(Exchange exchange, String token) {
        try {
            return tokens.orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.TOKEN_REFUSED,
                            "This service has no identity provider whose tokens it could accept.",
                            "Use the test login.")))
                    .person(token);
        } catch (Failure e) {
            if (e.diagnostics().getFirst().code() == Code.TOKEN_REFUSED) {
                limits.countRefusal(exchange);
                exchange.header("WWW-Authenticate", "Bearer error=\"invalid_token\"");
            }
            throw e;
        }
    }

    private void browser(Exchange exchange) throws IOException {
        var session = sessions.find(exchange);
        if (session.isEmpty()) {
            if (sessions.isNamed(exchange)) {
                limits.countRefusal(exchange);
                sessions.forget(exchange);
            }
            return;
        }
        if (!CrossSiteCheck.changesNothing(exchange)) {
            CrossSiteCheck.token(exchange, session.get().csrf());
        }
        exchange.keep(Person.class, session.get().person());
        exchange.keep(BrowserSessions.Open.class, session.get());
    }
}
