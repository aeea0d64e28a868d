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
    private final Optional<TestLogin> test;
    private final CrossSiteCheck crossSite;
    private final RequestLimits limits;

    LoginGuard(
            List<String> publicPaths,
            BrowserSessions sessions,
            Optional<BearerTokens> tokens,
            Optional<TestLogin> test,
            CrossSiteCheck crossSite,
            RequestLimits limits) {
        this.publicPaths = List.copyOf(publicPaths);
        this.sessions = sessions;
        this.tokens = tokens;
        this.test = test;
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
            program(exchange, token.get());
        } else {
            browser(exchange);
        }
        var person = Logins.required(exchange);
        exchange.comesFrom(person.id());
        limits.count(person, exchange);
    }

    private boolean isPublic(String path) {
        return publicPaths.stream().anyMatch(open -> open.endsWith("/") ? path.startsWith(open) : path.equals(open));
    }

    private void program(Exchange exchange, String token) {
        try {
            var own = test.flatMap(login -> login.session(exchange, token));
            if (own.isPresent()) {
                exchange.keep(Person.class, own.get().person());
                exchange.keep(Logins.Current.class, own.get().current());
                return;
            }
            var known = tokens.orElseThrow(() -> new Failure(Diagnostic.error(
                    Code.TOKEN_REFUSED,
                    "It is no token of the test login that is still valid, and this service has no identity"
                            + " provider whose tokens it could accept.",
                    "Use the test login.")));
            var bearer = known.bearer(token);
            exchange.keep(Person.class, bearer.person());
            exchange.keep(Logins.Current.class, () -> known.current(bearer));
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
        exchange.keep(Logins.Current.class, session.get().current());
    }
}
