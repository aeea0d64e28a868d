package io.deepsite.service.login;

import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Predicate;

/** Sessions and the cookies that they are known by. */
final class BrowserSessions {
    private static final Logger LOG = System.getLogger(BrowserSessions.class.getName());

    private final Sessions sessions;
    private final BrowserCookies cookies;
    private final Predicate<String> issuers;
    private final Logins.Listener listener;

    /** @param issuers whose people may be logged in: the tables may be older than the settings */
    BrowserSessions(Sessions sessions, BrowserCookies cookies, Predicate<String> issuers, Logins.Listener listener) {
        this.sessions = sessions;
        this.cookies = cookies;
        this.issuers = issuers;
        this.listener = listener;
    }

    /** @param csrf known to pages of this session only; empty for a program, which has none */
    record Open(Person person, String csrf, Logins.Current current) {}

    /** Whether the browser says it has one. */
    boolean isNamed(Exchange exchange) {
        return cookies.session(exchange).isPresent();
    }

    Optional<Open> find(Exchange exchange) {
        return cookies.session(exchange)
                .flatMap(token -> sessions.find(token)
                        .filter(person -> issuers.test(person.issuer()))
                        .map(person ->
                                new Open(person, OpaqueToken.derived(token, "csrf"), () -> sessions.peek(token))));
    }

    /** Always a new one: what the browser had before may be known to whoever set it there. */
    void begin(Exchange exchange, Person person) {
        cookies.session(exchange).ifPresent(sessions::end);
        cookies.setSession(exchange, beginOfProgram(exchange, person));
    }

    /** A session that is known by no cookie. @return what the program sends as its token */
    String beginOfProgram(Exchange exchange, Person person) {
        var token = sessions.begin(person);
        listener.happened(Logins.Event.LOGIN, person, exchange.from());
        LOG.log(Level.INFO, person.id() + " logged in from " + exchange.from());
        return token;
    }

    /** Whose token that is; nobody's if its session is over, or of a login that there is no more. */
    Optional<Open> ofProgram(String token) {
        return sessions.find(token)
                .filter(person -> issuers.test(person.issuer()))
                .map(person -> new Open(person, "", () -> sessions.peek(token)));
    }

    void end(Exchange exchange, Person person) {
        cookies.session(exchange).ifPresent(sessions::end);
        cookies.endSession(exchange);
        listener.happened(Logins.Event.LOGOUT, person, exchange.from());
        LOG.log(Level.INFO, person.id() + " logged out from " + exchange.from());
    }

    /** The browser need not send again what is over. */
    void forget(Exchange exchange) {
        cookies.endSession(exchange);
    }

    BrowserCookies cookies() {
        return cookies;
    }
}
