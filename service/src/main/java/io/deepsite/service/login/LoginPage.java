package io.deepsite.service.login;

import io.deepsite.service.http.Exchange;
import java.io.IOException;

/** The pages of people who are not logged in. */
final class LoginPage {
    private LoginPage() {}

    static void loggedOut(Exchange exchange) throws IOException {
        send(exchange, "Logged out", """
                <p>You are logged out of this service. Your session at the identity provider goes on until you end it there.</p>
                <p><a href="/login">Log in again</a></p>
                """);
    }

    static void testLogin(Exchange exchange, String to) throws IOException {
        send(exchange, "Test login", """
                <p>For trying the service on this machine: any name, any groups, no password.</p>
                <form method="post" action="/login/test" class="order">
                <input type="hidden" name="to" value="%s">
                <p><label for="name">Name</label> <input id="name" name="name" required autofocus autocomplete="off"></p>
                <p><label for="groups">Groups, separated by blanks</label> <input id="groups" name="groups" autocomplete="off"></p>
                <p><button>Log in</button></p>
                </form>
                """.formatted(escaped(to)));
    }

    private static void send(Exchange exchange, String title, String body) throws IOException {
        exchange.send(200, "text/html; charset=utf-8", """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>%s · deepsite</title>
                <link rel="icon" href="/static/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/static/style.css"></head>
                <body><main>
                <h1>%s</h1>
                %s</main></body>
                </html>
                """.formatted(title, title, body));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
