package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real identity provider, glewlwyd, and a real browser. The provider has a slash at the end of its name, and gives
 * {@code wlcg.groups} and {@code preferred_username} only for their scopes.
 */
class GlewlwydIT {
    private static final int PORT = Integer.parseInt(environment("DEEPSITE_LOGIN_PORT"));
    private static final Path PROVIDER = Path.of(environment("OIDC_TESTBED"));

    @TempDir
    Path folder;

    private LoginService service;

    private static String environment(String name) {
        return Objects.requireNonNull(System.getenv(name), name + " is not set: run the lane service-login");
    }

    private static String issuer() throws IOException {
        return Files.readString(PROVIDER.resolve("issuer")).strip();
    }

    private static LoginSettings settings(String issuer, Optional<String> caFile) {
        return new LoginSettings(
                issuer,
                "deepsite",
                Optional.of(new SecretReference(
                        Optional.of(PROVIDER.resolve("deepsite.secret").toString()), Optional.empty())),
                List.of(),
                "wlcg.groups",
                "preferred_username",
                Optional.empty(),
                caFile,
                Optional.empty(),
                true);
    }

    private void serve(LoginSettings settings) {
        service = new LoginService(
                folder,
                InstantSource.system(),
                Optional.of(settings),
                false,
                LimitSettings.DEFAULT,
                Optional.empty(),
                PORT);
    }

    private void serve() throws IOException {
        serve(settings(issuer(), Optional.of(PROVIDER.resolve("ca.crt").toString())));
    }

    @AfterEach
    void end() {
        if (service != null) {
            service.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void peopleLogInWithABrowser(boolean slash) throws Exception {
        var issuer = issuer();
        assertThat(issuer).endsWith("/");
        serve(settings(
                slash ? issuer : issuer.substring(0, issuer.length() - 1),
                Optional.of(PROVIDER.resolve("ca.crt").toString())));

        var seen = run("browser.py", service.address() + "/login?to=/me", "alice", fingerprint());

        assertThat(seen.lines().toList())
                .hasSize(2)
                .startsWith(service.address() + "/me")
                .last()
                .asString()
                .matches("https://127\\.0\\.0\\.1:\\d+/api/oidc#\\w+\\|alice\\|alice@example\\.test\\|ops,dev");
        assertThat(service.events).singleElement().asString().startsWith("LOGIN https://");
    }

    @Test
    void eachPersonHasGroupsOfTheirOwn() throws Exception {
        serve();

        assertThat(run("browser.py", service.address() + "/login?to=/me", "bob", fingerprint()))
                .endsWith("|bob|bob@example.test|dev\n");
    }

    @Test
    void programsSendTokensOfTheProvider() throws Exception {
        serve();

        var answer = with(run("token", "alice"));

        assertThat(answer).startsWith("200 https://").endsWith("|alice|alice@example.test|ops,dev");
        assertThat(with(run("token", "alice", "other"))).startsWith("401 ").contains("DS8122");
    }

    /** Signed again with the provider's own key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".exp = (now | floor) - 120",
                "del(.exp)",
                ".nbf = (now | floor) + 3600",
                ".iss = \"https://evil.example.org/\"",
                "del(.iss)",
                ".aud = \"openid\"",
                "del(.aud)",
                "del(.sub)",
            })
    void otherTokensOfTheSameKeyAreRefused(String claims) throws Exception {
        serve();

        assertThat(with(run("forge", "alice", "deepsite", claims)))
                .startsWith("401 ")
                .contains("DS8122");
    }

    @Test
    void aTokenOfAnotherKeyIsRefused() throws Exception {
        serve();

        assertThat(with(run(
                        "forge",
                        "alice",
                        "deepsite",
                        ".",
                        PROVIDER.resolve("server.key").toString())))
                .startsWith("401 ");
        assertThat(with(run("forge", "alice", "deepsite", "."))).startsWith("200 ");
    }

    @Test
    void aProviderWithoutAKnownAuthorityIsNotTrusted() throws Exception {
        serve(settings(issuer(), Optional.empty()));

        assertThat(service.browser().get("/login").body()).contains("DS8120", "PKIX path building failed");
    }

    private String with(String token) throws Exception {
        var answer = service.browser().get("/me", "Authorization", "Bearer " + token.strip());
        return answer.statusCode() + " " + answer.body();
    }

    /** Of the provider's certificate, which the browser's own authorities do not know. */
    private static String fingerprint() throws IOException, GeneralSecurityException {
        try (var in = Files.newInputStream(PROVIDER.resolve("server.crt"))) {
            var key = CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey();
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
        }
    }

    private static String run(String program, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("../testbed/oidc/" + program));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(program + " prints " + printed).isZero();
        return printed;
    }
}
