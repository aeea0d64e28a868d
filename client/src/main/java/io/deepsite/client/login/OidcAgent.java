package io.deepsite.client.login;

import io.deepsite.client.Login;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Tokens of oidc-agent, which keeps them; its program {@code oidc-token} asks it. */
public final class OidcAgent {
    private static final String PROGRAM = "oidc-token";
    private static final String SOCKET = "OIDC_SOCK";
    private static final int LONGEST_REASON = 300;

    private final Map<String, String> environment;

    /** @param environment of this process */
    public OidcAgent(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * A token that is valid for another minute at least.
     *
     * @throws Failure LOGIN_FAILED, PROGRAM_MISSING
     */
    public String token(Login.Agent agent) {
        if (environment.getOrDefault(SOCKET, "").isEmpty()) {
            throw IdentityProvider.failed(
                    "oidc-agent does not run here: " + SOCKET + " is not set.",
                    "Start it, and load the account:",
                    "eval $(oidc-agent)",
                    "oidc-add " + agent.account());
        }
        var words = new ArrayList<>(List.of(program().toString(), "--time=60"));
        if (agent.idToken()) {
            words.add("--id-token");
        } else {
            words.add("--aud=" + agent.audience());
        }
        words.addAll(List.of("--", agent.account()));
        try {
            var builder = new ProcessBuilder(words);
            builder.environment().clear();
            builder.environment().putAll(environment);
            var process = builder.start();
            process.getOutputStream().close();
            var token = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            var said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0 || token.isEmpty()) {
                throw IdentityProvider.failed(
                        "oidc-agent gives no token for " + agent.account()
                                + (said.isEmpty()
                                        ? "."
                                        : ": " + PlainText.of(said.replaceAll("\\s+", " "), LONGEST_REASON)),
                        "Load the account, or log in with it again:",
                        "oidc-add " + agent.account(),
                        "oidc-gen --reauthenticate " + agent.account());
            }
            return token;
        } catch (IOException e) {
            throw missing(e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Path program() {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, PROGRAM))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> missing("it is not on the PATH"));
    }

    private static Failure missing(String why) {
        return new Failure(Diagnostic.error(
                Code.PROGRAM_MISSING,
                PROGRAM + " cannot be started: " + why + ".",
                "Install it:",
                "apt-get install oidc-agent-cli"));
    }
}
