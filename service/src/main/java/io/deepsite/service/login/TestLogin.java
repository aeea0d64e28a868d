package io.deepsite.service.login;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A form for a name and groups, to try the service without an identity provider. Only for requests of this machine to
 * itself, by a name that always is this machine: a page of another site may have made its own name point here.
 */
final class TestLogin {
    static final String PATH = "/login/test";
    /** For programs: the same form, and the answer is a token. */
    static final String TOKEN = "/login/test/token";
    /** As the issuer of its people; no provider has it. */
    static final String ISSUER = "test";

    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N} ._@-]{1,64}");

    private final BrowserSessions sessions;
    private final RequestLimits limits;

    private TestLogin(BrowserSessions sessions, RequestLimits limits) {
        this.sessions = sessions;
        this.limits = limits;
    }

    /** @throws Failure NOT_SERVED */
    static TestLogin at(URI seen, BrowserSessions sessions, RequestLimits limits) {
        if (!HOSTS.contains(seen.getHost())) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_SERVED,
                    "The test login lets everybody in, and browsers of other machines see this service as " + seen
                            + ".",
                    "Serve it on 127.0.0.1, or name an identity provider in the settings."));
        }
        return new TestLogin(sessions, limits);
    }

    List<Route> routes() {
        return List.of(Route.get(PATH, this::form), Route.post(PATH, this::login), Route.post(TOKEN, this::token));
    }

    private void form(Exchange exchange) throws IOException {
        requireLocal(exchange);
        LoginPage.testLogin(exchange, ReturnPath.of(exchange.query("to")));
    }

    private void login(Exchange exchange) throws IOException {
        var form = asked(exchange);
        sessions.begin(exchange, person(form));
        exchange.redirect(ReturnPath.of(Optional.ofNullable(form.get("to"))));
    }

    /** No page of another site reads the answer: it has no header that lets one. */
    private void token(Exchange exchange) throws IOException {
        var token = sessions.beginOfProgram(exchange, person(asked(exchange)));
        exchange.send(200, "application/json", "{\"token\": \"" + token + "\"}\n");
    }

    /** Whose token that is: one of this login, and of a request from this machine. */
    Optional<BrowserSessions.Open> session(Exchange exchange, String token) {
        if (!OpaqueToken.hasForm(token)) {
            return Optional.empty();
        }
        requireLocal(exchange);
        return sessions.ofProgram(token)
                .filter(session -> session.person().issuer().equals(ISSUER));
    }

    private Map<String, String> asked(Exchange exchange) throws IOException {
        requireLocal(exchange);
        limits.countLogin(exchange);
        return exchange.form();
    }

    private static Person person(Map<String, String> form) {
        var name = form.getOrDefault("name", "").strip();
        if (!NAME.matcher(name).matches()) {
            throw OpenIdProvider.refused("A name has letters, digits, blanks and ._@-, 64 of them at most.");
        }
        var groups = Arrays.stream(form.getOrDefault("groups", "").split("[\\s,]+"))
                .filter(group -> !group.isEmpty())
                .toList();
        // Whoever takes an address for a name gets mail there.
        var address = Optional.of(name).filter(text -> text.contains("@"));
        return new Person(ISSUER, name, name, address, groups);
    }

    private static void requireLocal(Exchange exchange) {
        var host = exchange.sent("Host").orElse("").replaceFirst(":[0-9]+$", "");
        if (!HOSTS.contains(host) || !isLoopback(exchange.from())) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED,
                    "The test login is for browsers on the machine of the service, at localhost or 127.0.0.1.",
                    "Log in by the identity provider."));
        }
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
