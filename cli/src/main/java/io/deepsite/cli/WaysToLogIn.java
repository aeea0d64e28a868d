package io.deepsite.cli;

import io.deepsite.client.Credentials;
import io.deepsite.client.Login;
import io.deepsite.client.ServiceAddress;
import io.deepsite.client.ServiceClient;
import io.deepsite.client.login.OidcAgent;
import io.deepsite.client.login.Renewing;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.AuthorityFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Logins at one service. Apart from the command, whose signatures picocli loads for its help: that needs no JSON. */
final class WaysToLogIn {
    private static final String STANDARD = "-";
    private static final String ME = "/v1/me";

    private final CommandContext at;
    private final ServiceAddress service;
    private final Optional<String> caFile;
    private final Optional<AuthorityFile.Trust> trust;

    /**
     * @param browser of this machine, also where the provider has codes for devices
     * @param port to which it returns; 0 is any
     * @param agent account of oidc-agent
     * @param tokenFile {@code -} is stdin
     * @param name of a test login, with its groups
     */
    record Asked(
            boolean browser,
            int port,
            Optional<String> agent,
            Optional<String> tokenFile,
            Optional<String> name,
            List<String> groups) {}

    WaysToLogIn(CommandContext at, ServiceAddress service, Optional<Path> ca) {
        this.at = at;
        this.service = service;
        this.caFile = ca.map(file -> file.toAbsolutePath().toString());
        this.trust = caFile.map(AtService::trust);
    }

    /**
     * The first that the service accepts.
     *
     * @throws Failure LOGIN_FAILED, TOKEN_REFUSED, FILE_UNREADABLE, and what a service answers
     */
    Login login(Asked asked) {
        try (var client = new ServiceClient(service, trust, Credentials.NONE)) {
            return accepted(offered(asked, client.get("/v1/login")));
        }
    }

    /** In the order in which the service is asked whether it accepts them. */
    private List<Supplier<Login>> offered(Asked asked, JsonNode ways) {
        var provider = ways.path("provider");
        if (asked.tokenFile().isPresent()) {
            return List.of(() -> ofToken(read(asked.tokenFile().get())));
        }
        if (asked.name().isPresent()) {
            return List.of(() -> ofName(ways, asked.name().get(), asked.groups()));
        }
        if (!provider.isObject()) {
            throw failed(
                    service + " has no identity provider, only the test login.",
                    "Log in by any name, and a group of its projects:",
                    "deepsite login " + service + " --name alice --group lab");
        }
        if (asked.agent().isPresent()) {
            return ofAgent(provider, asked.agent().get());
        }
        return new ProviderLogin(at, provider, trust, caFile)
                .logins(service, asked.browser(), asked.port()).stream()
                        .<Supplier<Login>>map(login -> () -> login)
                        .toList();
    }

    private Login ofToken(String token) {
        return new Login("", token, Renewing.end(token), Optional.empty(), Optional.empty(), caFile);
    }

    private Login ofName(JsonNode ways, String who, List<String> groups) {
        if (!ways.path("testLogin").asBoolean(false)) {
            throw failed(service + " has no test login.", "Log in at its identity provider, without --name.");
        }
        try (var client = new ServiceClient(service, trust, Credentials.NONE)) {
            var answer = client.submit("/login/test/token", Map.of("name", who, "groups", String.join(" ", groups)));
            return ofToken(answer.path("token").asString(""));
        }
    }

    /** The agent is asked for an ID token only if the service accepts none of its access tokens. */
    private List<Supplier<Login>> ofAgent(JsonNode provider, String account) {
        var audience = provider.path("audience").asString("");
        var asked = new OidcAgent(at.environment());
        return Stream.of(false, true)
                .map(idToken -> new Login.Agent(account, audience, idToken))
                .<Supplier<Login>>map(kept -> () ->
                        new Login("", asked.token(kept), Optional.empty(), Optional.empty(), Optional.of(kept), caFile))
                .toList();
    }

    private Login accepted(List<Supplier<Login>> offered) {
        Failure refused = null;
        for (var offer : offered) {
            var login = offer.get();
            try (var client = new ServiceClient(service, trust, Credentials.of(login.token()))) {
                var who = client.get(ME).path("name").asString("");
                // Tokens of an agent stay with the agent.
                return new Login(
                        who,
                        login.agent().isPresent() ? "" : login.token(),
                        login.ends(),
                        login.renewal(),
                        login.agent(),
                        login.caFile());
            } catch (Failure e) {
                if (e.diagnostics().getFirst().code() != Code.TOKEN_REFUSED) {
                    throw e;
                }
                refused = refused == null ? e : refused;
            }
        }
        throw refused == null ? failed("There is no token.", "") : refused;
    }

    private String read(String from) {
        try {
            var text = from.equals(STANDARD)
                    ? at.terminal().in().lines().collect(Collectors.joining("\n"))
                    : Files.readString(Path.of(from));
            if (text.isBlank() || !text.strip().matches("[!-~]+")) {
                throw failed(
                        "There is no token in " + (from.equals(STANDARD) ? "stdin" : from) + ".", "Give one line.");
            }
            return text.strip();
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE, from + " cannot be read: " + FileFault.words(e) + ".", "Fix it."),
                    e);
        }
    }

    static Failure failed(String why, String fix, String... commands) {
        return new Failure(Diagnostic.error(Code.LOGIN_FAILED, why, fix, commands));
    }
}
