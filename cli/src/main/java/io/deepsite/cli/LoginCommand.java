package io.deepsite.cli;

import io.deepsite.client.Credentials;
import io.deepsite.client.Login;
import io.deepsite.client.LoginFile;
import io.deepsite.client.ServiceAddress;
import io.deepsite.client.ServiceClient;
import io.deepsite.client.login.OidcAgent;
import io.deepsite.client.login.Renewing;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.AuthorityFile;
import io.deepsite.text.Elapsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code deepsite login}: logs in at a service. */
@Command(
        name = "login",
        description = {
            "Log in at a service of sites.",
            "At its identity provider: by a code that you type on any device with a browser, or with the browser of this"
                    + " machine where the provider has no such codes. The tokens are kept in ~/.config/deepsite/logins.json,"
                    + " which only you can read, and renewed until the provider ends the login."
        },
        footer = {
            "  deepsite login https://clusters.example.org",
            "  deepsite login https://clusters.example.org --agent lab       # tokens of oidc-agent",
            "  deepsite login https://clusters.example.org --token-file -    # for programs",
            "  deepsite login http://127.0.0.1:8440 --name alice --group lab # a service with --test-login"
        })
final class LoginCommand extends DeepsiteCommand {
    private static final String STANDARD = "-";
    private static final String ME = "/v1/me";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "URL",
            description = "The address of the service, https, or http on this machine (default: $"
                    + ServiceOption.VARIABLE + ", else that of your last login).")
    private @Nullable String url;

    @Option(
            names = "--browser",
            description = "Log in with the browser of this machine, also where the provider has codes for devices.")
    private boolean browser;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of this machine to which that browser returns, for providers that know one only.")
    private int port;

    @Option(
            names = "--agent",
            paramLabel = "ACCOUNT",
            description = "Ask oidc-agent for each token; an account that is loaded there.")
    private @Nullable String agent;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Use the token in this file until it ends; - reads it from stdin.")
    private @Nullable String tokenFile;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "At a service with the test login on this machine: log in by this name.")
    private @Nullable String name;

    @Option(names = "--group", paramLabel = "GROUP", description = "With --name: a group; may be repeated.")
    private List<String> groups = new ArrayList<>();

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "Certificates of the authorities of service and provider, in PEM, if they are not public ones.")
    private @Nullable Path ca;

    LoginCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var service = ServiceAddress.parse(url == null ? again() : url);
        var caFile = Optional.ofNullable(ca).map(file -> file.toAbsolutePath().toString());
        var trust = caFile.map(AtService::trust);
        JsonNode ways;
        try (var client = new ServiceClient(service, trust, Credentials.NONE)) {
            ways = client.get("/v1/login");
        }
        var login = checked(service, trust, offered(service, trust, ways, caFile));
        new LoginFile(at.userHome()).keep(service, login);
        tell(service, login);
        return ExitCode.DONE.number();
    }

    private String again() {
        var named = at.environment().getOrDefault(ServiceOption.VARIABLE, "");
        return named.isBlank() ? AtService.latest(at) : named;
    }

    /** In the order in which the service is asked whether it accepts them. */
    private List<Supplier<Login>> offered(
            ServiceAddress service, Optional<AuthorityFile.Trust> trust, JsonNode ways, Optional<String> caFile) {
        var provider = ways.path("provider");
        if (tokenFile != null) {
            var from = tokenFile;
            return List.of(() -> ofToken(read(from), caFile));
        }
        if (name != null) {
            var who = name;
            return List.of(() -> ofName(service, trust, ways, who, caFile));
        }
        if (!provider.isObject()) {
            throw failed(
                    service + " has no identity provider, only the test login.",
                    "Log in by any name, and a group of its projects:",
                    "deepsite login " + service + " --name alice --group lab");
        }
        if (agent != null) {
            return ofAgent(provider, agent, caFile);
        }
        return new ProviderLogin(at, provider, trust, caFile)
                .logins(service, browser, port).stream()
                        .<Supplier<Login>>map(login -> () -> login)
                        .toList();
    }

    private static Login ofToken(String token, Optional<String> caFile) {
        return new Login("", token, Renewing.end(token), Optional.empty(), Optional.empty(), caFile);
    }

    private Login ofName(
            ServiceAddress service,
            Optional<AuthorityFile.Trust> trust,
            JsonNode ways,
            String who,
            Optional<String> caFile) {
        if (!ways.path("testLogin").asBoolean(false)) {
            throw failed(service + " has no test login.", "Log in at its identity provider, without --name.");
        }
        try (var client = new ServiceClient(service, trust, Credentials.NONE)) {
            var answer = client.submit("/login/test/token", Map.of("name", who, "groups", String.join(" ", groups)));
            return ofToken(answer.path("token").asString(""), caFile);
        }
    }

    /** The agent is asked for an ID token only if the service accepts none of its access tokens. */
    private List<Supplier<Login>> ofAgent(JsonNode provider, String account, Optional<String> caFile) {
        var audience = provider.path("audience").asString("");
        var asked = new OidcAgent(at.environment());
        return Stream.of(false, true)
                .map(idToken -> new Login.Agent(account, audience, idToken))
                .<Supplier<Login>>map(kept -> () ->
                        new Login("", asked.token(kept), Optional.empty(), Optional.empty(), Optional.of(kept), caFile))
                .toList();
    }

    /** The first that the service accepts. */
    private Login checked(ServiceAddress service, Optional<AuthorityFile.Trust> trust, List<Supplier<Login>> offered) {
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

    private void tell(ServiceAddress service, Login login) {
        if (json) {
            var fields = new LinkedHashMap<String, Object>();
            fields.put("service", service.toString());
            fields.put("name", login.name());
            login.ends().ifPresent(end -> fields.put("tokenEnds", end.toString()));
            fields.put("renewed", login.renewal().isPresent() || login.agent().isPresent());
            printJson(fields);
            return;
        }
        boolean renewed = login.renewal().isPresent() || login.agent().isPresent();
        print("Logged in at " + service + " as " + login.name()
                + (renewed
                        ? "."
                        : login.ends()
                                .map(end -> ", until " + Elapsed.utc(end) + ".")
                                .orElse("."))
                + "\n");
        say("Next:\n\n      deepsite catalogue");
    }

    static Failure failed(String why, String fix, String... commands) {
        return new Failure(Diagnostic.error(Code.LOGIN_FAILED, why, fix, commands));
    }
}
