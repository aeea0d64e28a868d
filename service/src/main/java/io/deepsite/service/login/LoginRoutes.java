package io.deepsite.service.login;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Logs browsers in by the identity provider, and out. */
final class LoginRoutes {
    static final String LOGIN = "/login";
    static final String CALLBACK = "/login/callback";
    static final String LOGOUT = "/logout";
    static final String LOGGED_OUT = "/logged-out";

    private static final Logger LOG = System.getLogger(LoginRoutes.class.getName());

    private final URI callback;
    private final Optional<OpenIdProvider> provider;
    private final PendingLogins pending;
    private final BrowserSessions sessions;
    private final RequestLimits limits;

    LoginRoutes(
            URI seen,
            Optional<OpenIdProvider> provider,
            PendingLogins pending,
            BrowserSessions sessions,
            RequestLimits limits) {
        this.callback = seen.resolve(CALLBACK);
        this.provider = provider;
        this.pending = pending;
        this.sessions = sessions;
        this.limits = limits;
    }

    List<Route> all() {
        return List.of(
                Route.get(LOGIN, this::login),
                Route.get(CALLBACK, this::callback),
                Route.post(LOGOUT, this::logout),
                Route.get(LOGGED_OUT, exchange -> LoginPage.loggedOut(exchange)));
    }

    private void login(Exchange exchange) throws IOException {
        limits.countLogin(exchange);
        var to = ReturnPath.of(exchange.query("to"));
        if (provider.isEmpty()) {
            exchange.redirect(TestLogin.PATH + "?to=" + URLEncoder.encode(to, StandardCharsets.UTF_8));
            return;
        }
        var login = new PendingLogins.Pending(new Nonce(), new CodeVerifier(), to);
        var browser = sessions.cookies().login(exchange).orElseGet(OpaqueToken::fresh);
        var state = pending.begin(browser, login);
        var place = provider.get().authorization(callback, new State(state), login);
        sessions.cookies().setLogin(exchange, browser);
        exchange.redirect(place.toString());
    }

    private void callback(Exchange exchange) throws IOException {
        try {
            // First, so that nobody shows people a text of his own by a link to this address.
            var login = exchange.query("state")
                    .flatMap(state ->
                            sessions.cookies().login(exchange).flatMap(browser -> pending.take(browser, state)))
                    .orElseThrow(() -> OpenIdProvider.refused(
                            "This login was not begun in this browser, took too long, or was answered already."));
            var person = answered(exchange, login);
            sessions.begin(exchange, person);
            exchange.redirect(login.returnTo());
        } catch (Failure e) {
            LOG.log(Level.INFO, "A login from " + exchange.from() + " was refused: " + e.getMessage());
            limits.countRefusal(exchange);
            throw e;
        }
    }

    private Person answered(Exchange exchange, PendingLogins.Pending login) {
        var asked = provider.orElseThrow(() -> OpenIdProvider.refused("This service has no identity provider."));
        if (!asked.answersAs(exchange.query("iss"))) {
            throw OpenIdProvider.refused("The answer names another identity provider.");
        }
        var error = exchange.query("error");
        if (error.isPresent()) {
            throw OpenIdProvider.refused(error.get(), exchange.query("error_description"));
        }
        var code = exchange.query("code")
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> OpenIdProvider.refused("The answer holds no code."));
        return asked.person(new AuthorizationCode(code), callback, login);
    }

    private void logout(Exchange exchange) throws IOException {
        sessions.end(exchange, Logins.required(exchange));
        exchange.redirect(LOGGED_OUT);
    }
}
