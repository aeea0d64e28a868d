package io.deepsite.service.login;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.service.http.Router;
import io.deepsite.service.records.Tables;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who sends a request: logins, their pages and what guards all others. */
public final class Logins {
    private static final Logger LOG = System.getLogger(Logins.class.getName());

    private final LoginRoutes routes;
    private final Optional<TestLogin> test;
    private final LoginGuard guard;
    private final Ways ways;

    /**
     * @param seen the address by which browsers see the service, with its port
     * @param provider none for a service with the test login only
     * @param testLogin whether anybody on this machine may log in with any name and any groups
     * @param publicPaths that need no login: a path, or with a slash at the end all paths below
     */
    public record Options(
            URI seen,
            Optional<OpenIdProvider> provider,
            boolean testLogin,
            LimitSettings limits,
            List<String> publicPaths) {
        public Options {
            publicPaths = List.copyOf(publicPaths);
        }

        private boolean knows(String issuer) {
            return (testLogin && issuer.equals(TestLogin.ISSUER))
                    || provider.filter(known -> known.isCalled(issuer)).isPresent();
        }
    }

    /**
     * How programs that somebody runs log in.
     *
     * @param provider none for a service with the test login only
     * @param testLogin whether anybody on the machine of the service may get a token by a name
     */
    public record Ways(Optional<ProviderWay> provider, boolean testLogin) {}

    /**
     * At the identity provider.
     *
     * @param clientId of the command line, a client without a secret; empty: the provider knows none
     * @param scopes to ask for
     * @param audience whom a token has to be made for that was not made for this client
     */
    public record ProviderWay(String issuer, Optional<String> clientId, List<String> scopes, String audience) {
        public ProviderWay {
            scopes = List.copyOf(scopes);
        }

        private static ProviderWay of(LoginSettings settings) {
            return new ProviderWay(
                    settings.issuer(), settings.publicClientId(), settings.allScopes(), settings.tokenAudience());
        }
    }

    public enum Event {
        LOGIN,
        LOGOUT
    }

    /** Hears what happened, for the audit. */
    @FunctionalInterface
    public interface Listener {
        /** @param from the address of the browser */
        void happened(Event event, Person person, String from);
    }

    /** @throws Failure NOT_SERVED, if there is no way to log in, or others than this machine could use the test login */
    public Logins(Tables tables, InstantSource clock, Options options, Listener listener) {
        if (options.provider().isEmpty() && !options.testLogin()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_SERVED,
                    "Nobody can log in: the settings name no identity provider.",
                    "Add login: to the settings, or try the service on this machine with the test login."));
        }
        var limits = new RequestLimits(options.limits(), clock);
        var sessions = new BrowserSessions(
                new Sessions(tables, clock), new BrowserCookies(options.seen()), options::knows, listener);
        this.test =
                options.testLogin() ? Optional.of(TestLogin.at(options.seen(), sessions, limits)) : Optional.empty();
        this.ways =
                new Ways(options.provider().map(provider -> ProviderWay.of(provider.settings())), options.testLogin());
        this.routes =
                new LoginRoutes(options.seen(), options.provider(), new PendingLogins(tables, clock), sessions, limits);
        var open = new ArrayList<>(List.of(
                LoginRoutes.LOGIN, LoginRoutes.CALLBACK, LoginRoutes.LOGGED_OUT, TestLogin.PATH, TestLogin.TOKEN));
        open.addAll(options.publicPaths());
        this.guard = new LoginGuard(
                open,
                sessions,
                options.provider().map(provider -> new BearerTokens(provider, clock)),
                test,
                new CrossSiteCheck(options.seen()),
                limits);
        if (test.isPresent()) {
            LOG.log(
                    Level.WARNING,
                    "The test login is on: whoever uses this machine may log in with any name and any groups.");
        }
    }

    public List<Route> routes() {
        var all = new ArrayList<>(routes.all());
        test.ifPresent(page -> all.addAll(page.routes()));
        return List.copyOf(all);
    }

    public Ways ways() {
        return ways;
    }

    public Router.Guard guard() {
        return guard;
    }

    /** @throws Failure NOT_LOGGED_IN */
    public static Person required(Exchange exchange) {
        return exchange.kept(Person.class).orElseThrow(() -> {
            exchange.header("WWW-Authenticate", "Bearer");
            return new Failure(Diagnostic.error(
                    Code.NOT_LOGGED_IN,
                    "This is for people who are logged in.",
                    "Log in at /login. Programs send a token of the identity provider: Authorization: Bearer."));
        });
    }

    /** Who sends a request, asked again. */
    @FunctionalInterface
    interface Current {
        Optional<Person> person();
    }

    /**
     * Who sends a request whose answer goes on, as of now: nobody after the logout, or the end of the session or the token.
     */
    public static Optional<Person> current(Exchange exchange) {
        return exchange.kept(Current.class).flatMap(Current::person);
    }

    /** What forms of a page send as the field csrf, and scripts as the header X-CSRF-Token; empty for programs. */
    public static String csrf(Exchange exchange) {
        return exchange.kept(BrowserSessions.Open.class)
                .map(BrowserSessions.Open::csrf)
                .orElse("");
    }
}
