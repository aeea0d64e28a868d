package io.deepsite.cli;

import io.deepsite.client.Login;
import io.deepsite.client.ServiceAddress;
import io.deepsite.client.login.BrowserFlow;
import io.deepsite.client.login.DeviceFlow;
import io.deepsite.client.login.DevicePrompt;
import io.deepsite.client.login.IdentityProvider;
import io.deepsite.client.login.ProviderTokens;
import io.deepsite.client.login.Renewing;
import io.deepsite.diag.PlainText;
import io.deepsite.provider.AuthorityFile;
import io.deepsite.text.Elapsed;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A login at the identity provider of a service, by a person at a browser. */
record ProviderLogin(
        CommandContext at, JsonNode provider, Optional<AuthorityFile.Trust> trust, Optional<String> caFile) {

    /** With the access token, then with the ID token: not every provider makes access tokens for the service. */
    List<Login> logins(ServiceAddress service, boolean browser, int port) {
        var issuer = provider.path("issuer").asString("");
        var client = provider.path("clientId").asString("");
        if (client.isEmpty()) {
            throw WaysToLogIn.failed(
                    service + " names no client for the command line at " + issuer + ".",
                    "Its administrator adds login.publicClientId to service.yaml. Until then get a token by other means:",
                    "deepsite login " + service + " --agent ACCOUNT",
                    "deepsite login " + service + " --token-file FILE");
        }
        var scopes = provider.path("scopes")
                .valueStream()
                .map(scope -> scope.asString(""))
                .toList();
        var identity = new IdentityProvider(issuer, client, trust, at.clock());
        var tokens = identity.hasDeviceFlow() && !browser
                ? new DeviceFlow(identity, Thread::sleep).tokens(scopes, this::show)
                : new BrowserFlow(identity).tokens(scopes, port, this::show);
        var logins = new ArrayList<Login>();
        logins.add(login(tokens, tokens.accessToken(), false, issuer, client));
        tokens.idToken().ifPresent(token -> logins.add(login(tokens, token, true, issuer, client)));
        return logins;
    }

    private Login login(ProviderTokens tokens, String token, boolean idToken, String issuer, String client) {
        return new Login(
                "",
                token,
                idToken ? Renewing.end(token) : tokens.ends().or(() -> Renewing.end(token)),
                tokens.refreshToken().map(refresh -> new Login.Renewal(issuer, client, refresh, idToken)),
                Optional.empty(),
                caFile);
    }

    /** On stderr, also when quiet: without it nobody can log in. */
    private void show(DevicePrompt prompt) {
        tell("Open this page on any device, within " + Elapsed.words(prompt.time()) + ":\n\n      " + prompt.page()
                + "\n\nand type the code:\n\n      " + PlainText.of(prompt.code())
                + prompt.withCode()
                        .map(page -> "\n\nor open this one, which has it:\n\n      " + page)
                        .orElse("") + "\n");
    }

    private void show(URI page) {
        tell("Log in with a browser of this machine:\n\n      " + page + "\n");
        var environment = at.environment();
        if (environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY")) {
            try {
                new ProcessBuilder("xdg-open", page.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException _) {
                // The address is on the screen.
            }
        }
    }

    private void tell(String text) {
        at.terminal().err().println(text);
        at.terminal().err().flush();
    }
}
