package io.deepsite.cli;

import io.deepsite.client.Login;
import io.deepsite.client.LoginFile;
import io.deepsite.client.ServiceAddress;
import io.deepsite.diag.ExitCode;
import io.deepsite.text.Elapsed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
        var login = new WaysToLogIn(at, service, Optional.ofNullable(ca)).login(asked());
        new LoginFile(at.userHome()).keep(service, login);
        tell(service, login);
        return ExitCode.DONE.number();
    }

    private WaysToLogIn.Asked asked() {
        return new WaysToLogIn.Asked(
                browser,
                port,
                Optional.ofNullable(agent),
                Optional.ofNullable(tokenFile),
                Optional.ofNullable(name),
                groups);
    }

    private String again() {
        var named = at.environment().getOrDefault(ServiceOption.VARIABLE, "");
        return named.isBlank() ? AtService.latest(at) : named;
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
}
