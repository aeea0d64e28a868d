package io.deepsite.service.api;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;
import java.io.IOException;
import java.util.List;

/** What the API says of logins: how programs log in, and as whom. */
final class LoginOperations {
    private final Bodies.LoginWays ways;

    LoginOperations(Logins.Ways ways) {
        this.ways = new Bodies.LoginWays(
                ways.provider()
                        .map(provider -> new Bodies.ProviderLogin(
                                provider.issuer(), provider.clientId(), provider.scopes(), provider.audience())),
                ways.testLogin());
    }

    List<Operation> all() {
        return List.of(
                Operation.get(
                        "/v1/login",
                        "getLogin",
                        "How programs log in; needs no login.",
                        Bodies.LoginWays.class,
                        List.of(),
                        exchange -> ApiJson.send(exchange, 200, ways)),
                Operation.get(
                        "/v1/me",
                        "getCaller",
                        "Who the caller is.",
                        Bodies.Caller.class,
                        List.of(),
                        LoginOperations::caller));
    }

    private static void caller(Exchange exchange) throws IOException {
        var person = Logins.required(exchange);
        ApiJson.send(
                exchange,
                200,
                new Bodies.Caller(person.name(), person.issuer(), person.subject(), person.email(), person.groups()));
    }
}
