package io.deepsite.service.login;

import io.deepsite.diag.Code;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.HttpServer;
import io.deepsite.service.http.Route;
import io.deepsite.service.http.Router;
import io.deepsite.service.records.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that is nothing but its logins, and says who asks. */
final class LoginService implements AutoCloseable {
    private final Tables tables;
    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final List<String> events = new CopyOnWriteArrayList<>();

    /** @param seen by browsers; empty for where it listens */
    LoginService(
            Path folder,
            InstantSource clock,
            Optional<LoginSettings> settings,
            boolean testLogin,
            LimitSettings limits,
            Optional<URI> seen) {
        this(folder, clock, settings, testLogin, limits, seen, 0);
    }

    /** @param port 0 for any */
    LoginService(
            Path folder,
            InstantSource clock,
            Optional<LoginSettings> settings,
            boolean testLogin,
            LimitSettings limits,
            Optional<URI> seen,
            int port) {
        this(Tables.inFolder(folder), clock, settings, testLogin, limits, seen, port);
    }

    /** @param tables that it closes */
    LoginService(
            Tables tables,
            InstantSource clock,
            Optional<LoginSettings> settings,
            boolean testLogin,
            LimitSettings limits,
            Optional<URI> seen,
            int port) {
        this.tables = tables;
        server = new HttpServer(new InetSocketAddress("127.0.0.1", port), Optional.empty());
        try {
            var logins = new Logins(
                    tables,
                    clock,
                    new Logins.Options(
                            seen.orElse(address()),
                            settings.map(
                                    read -> new OpenIdProvider(read, Map.of("CLIENT_SECRET", IdentityProvider.SECRET))),
                            testLogin,
                            limits,
                            List.of("/health", "/static/")),
                    (event, person, from) -> events.add(event + " " + person.id() + " " + from));
            var routes = new ArrayList<>(logins.routes());
            routes.add(Route.get("/me", LoginService::me));
            routes.add(Route.post(
                    "/change",
                    exchange -> exchange.send(
                            200,
                            "text/plain",
                            "changed by " + Logins.required(exchange).id()
                                    + exchange.sent("Content-Type")
                                            .filter(type -> type.contains("form"))
                                            .map(_ -> text(exchange))
                                            .orElse(""))));
            routes.add(Route.get("/follow", LoginService::follow));
            routes.add(Route.get("/form", LoginService::form));
            routes.add(Route.get("/health", exchange -> exchange.send(200, "text/plain", "well")));
            routes.add(Route.get("/static/style", exchange -> exchange.send(200, "text/plain", "style")));
            server.start(seen.orElse(address()), new Router(routes, logins.guard(), LoginService::problem));
        } catch (Failure e) {
            close();
            throw e;
        }
    }

    private static String text(Exchange exchange) {
        try {
            return " with " + exchange.form().getOrDefault("text", "nothing");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void me(Exchange exchange) throws IOException {
        var person = exchange.kept(Person.class).orElseThrow();
        exchange.header("Csrf", Logins.csrf(exchange));
        exchange.send(
                200,
                "text/plain",
                person.id() + "|" + person.name() + "|" + person.email().orElse("") + "|"
                        + String.join(",", person.groups()));
    }

    /** Goes on for as long as somebody is logged in. */
    private static void follow(Exchange exchange) throws IOException, InterruptedException {
        try (var out = exchange.stream("text/plain")) {
            for (var person = Logins.current(exchange); person.isPresent(); person = Logins.current(exchange)) {
                out.write((person.get().groups() + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                Thread.sleep(Duration.ofMillis(10));
            }
        }
    }

    private static void form(Exchange exchange) throws IOException {
        exchange.send(200, "text/html", """
                <form method="post" action="/change">
                <input name="text" value="own"><input type="hidden" name="csrf" value="%s"><button>Send</button>
                </form>
                """.formatted(Logins.csrf(exchange)));
    }

    private static void problem(Exchange exchange, Failure failure) throws IOException {
        int status = switch (failure.diagnostics().getFirst().code()) {
            case Code.NOT_LOGGED_IN, Code.TOKEN_REFUSED -> 401;
            case Code.NOT_ALLOWED, Code.CROSS_SITE, Code.WEB_LOGIN_REFUSED -> 403;
            case Code.NOT_FOUND -> 404;
            case Code.TOO_MANY_REQUESTS -> 429;
            case Code.IDENTITY_PROVIDER -> 502;
            default -> 500;
        };
        exchange.send(
                status,
                "text/plain",
                DiagnosticPrinter.print(failure.diagnostics().getFirst()));
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    Browser browser() {
        return new Browser(address(), client);
    }

    Tables tables() {
        return tables;
    }

    @Override
    public void close() {
        // First: the server waits for a second for clients with an open connection.
        client.shutdownNow();
        server.close();
        tables.close();
    }
}
