package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logins at a service whose identity provider runs in this process. */
class LoginAtAProviderTest {
    private static final Pattern PAGE = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+/authorize\\?\\S+)");

    @TempDir
    private Path folder;

    private ProviderInMemory provider;
    private ServiceInMemory service;
    private Person ada;

    @BeforeEach
    void start() throws IOException {
        provider = new ProviderInMemory();
        service = new ServiceInMemory(
                folder.resolve("service"),
                "login: {issuer: \"" + provider.issuer() + "\", clientId: deepsite, publicClientId: "
                        + ProviderInMemory.CLIENT + "}\n");
        ada = new Person(Files.createDirectories(folder.resolve("ada")));
    }

    @AfterEach
    void stop() {
        service.close();
        provider.close();
    }

    private void logsIn(String... options) {
        assertThat(login(options)).as(ada.out + ada.err).isZero();
    }

    private int login(String... options) {
        var words = new String[options.length + 2];
        words[0] = "login";
        words[1] = service.url();
        System.arraycopy(options, 0, words, 2, options.length);
        return ada.types(words);
    }

    private void isAda() {
        assertThat(ada.types("whoami")).as(ada.err).isZero();
        assertThat(ada.out).contains("Ada Lovelace at " + service.url(), "in biologists");
    }

    private String kept() throws IOException {
        return Files.readString(ada.home.resolve(".config/deepsite/logins.json"));
    }

    @Test
    void aCodeForAnotherDevice() throws IOException {
        provider.device.add("authorization_pending");

        logsIn();

        assertThat(ada.err).contains(provider.issuer() + "/activate", "WDJB-MJHT", "within 10 min");
        assertThat(ada.out).isEqualTo("Logged in at " + service.url() + " as Ada Lovelace.\n");
        isAda();
        assertThat(ada.err + ada.out).doesNotContain("eyJ", "refresh-", "the-device");
        assertThat(kept()).contains("refresh-");
    }

    @ParameterizedTest
    @CsvSource({"access_denied, answers access_denied", "expired_token, Nobody typed the code in time"})
    void aCodeThatIsNotAcceptedIsNoLogin(String error, String words) {
        provider.device.add(error);

        assertThat(login()).isEqualTo(1);

        assertThat(ada.err).contains("DS8134", words);
        assertThat(ada.home.resolve(".config/deepsite/logins.json")).doesNotExist();
    }

    /** The browser: it opens the page that the command prints, and follows where the provider sends it. */
    private CompletableFuture<Integer> browses(CompletableFuture<String> printed, boolean guessFirst) {
        return printed.thenApplyAsync(page -> {
            try {
                var back = provider.consent(URI.create(page));
                if (guessFirst) {
                    var guess = URI.create(back.toString().replaceAll("state=.*", "state=guessed"));
                    assertThat(visit(guess)).isEqualTo(400);
                }
                return visit(back);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static int visit(URI address) throws IOException {
        return ((HttpURLConnection) address.toURL().openConnection()).getResponseCode();
    }

    @ParameterizedTest
    @CsvSource({"false, ''", "true, --browser"})
    void theBrowserOfThisMachine(boolean knowsDevices, String option) throws Exception {
        provider.knowsDevices = knowsDevices;
        var printed = new CompletableFuture<String>();
        ada.listens =
                text -> PAGE.matcher(text).results().findFirst().ifPresent(found -> printed.complete(found.group()));
        var browser = browses(printed, true);

        if (option.isEmpty()) {
            logsIn();
        } else {
            logsIn(option);
        }

        assertThat(browser.get()).isEqualTo(200);
        isAda();
    }

    @Test
    void aTokenThatIsOverIsRenewedOnceWithEachRefreshToken() throws IOException {
        provider.lifetime = Duration.ofSeconds(20);
        logsIn();
        var first = kept();

        isAda();
        isAda();

        assertThat(provider.refreshed).isEqualTo(2);
        assertThat(kept()).isNotEqualTo(first);
        provider.lifetime = Duration.ofMinutes(5);
        isAda();
        isAda();
        assertThat(provider.refreshed).isEqualTo(3);
    }

    @Test
    void anIdTokenServesWhereAccessTokensAreForOthers() throws IOException {
        provider.audience = "another";
        provider.lifetime = Duration.ofSeconds(20);

        logsIn();

        assertThat(kept()).contains("\"idToken\":true");
        isAda();
        assertThat(provider.refreshed).isEqualTo(1);
        provider.givesIdTokensAgain = false;
        assertThat(ada.types("whoami")).isEqualTo(2);
        assertThat(ada.err).contains("DS8102", "deepsite login " + service.url());
    }

    @Test
    void aLoginThatTheProviderEndedIsOver() throws IOException {
        provider.lifetime = Duration.ofSeconds(20);
        logsIn();
        var stale = kept();
        isAda();
        Files.writeString(ada.home.resolve(".config/deepsite/logins.json"), stale);

        assertThat(ada.types("whoami")).isEqualTo(2);

        assertThat(ada.err).contains("DS8102", "invalid_grant: used before");
        assertThat(ada.err).doesNotContain("refresh-");
    }

    @Test
    void aProviderInTroubleEndsNoLogin() throws IOException {
        provider.lifetime = Duration.ofSeconds(20);
        logsIn();
        provider.troubles.addAll(List.of("server_error", "temporarily_unavailable"));

        assertThat(ada.types("whoami")).isEqualTo(6);
        assertThat(ada.err).contains("it answers server_error", "Try again").doesNotContain("DS8102", "Log in");
        assertThat(ada.types("whoami")).isEqualTo(6);
        assertThat(ada.err).contains("it answers temporarily_unavailable");

        isAda();
        assertThat(provider.refreshed).isEqualTo(1);
    }

    @Test
    void aLogoutRevokesAndForgets() throws IOException {
        logsIn();

        assertThat(ada.types("logout")).isZero();

        assertThat(provider.revoked).isEqualTo(1);
        assertThat(kept()).doesNotContain("refresh-", "eyJ");
        assertThat(ada.types("whoami")).isEqualTo(2);
    }

    @Test
    void programsBringATokenInAFileOrOnStdin() throws IOException {
        var file = Files.writeString(folder.resolve("token"), provider.token("deepsite") + "\n");

        logsIn("--token-file", file.toString());
        isAda();
        ada.answers(provider.token(ProviderInMemory.CLIENT) + "\n");
        logsIn("--token-file", "-");
        isAda();

        Files.writeString(file, provider.token("another"));
        assertThat(login("--token-file", file.toString())).isEqualTo(2);
        assertThat(ada.err).contains("DS8122").doesNotContain("eyJ");
        Files.writeString(file, "two\nlines\n");
        assertThat(login("--token-file", file.toString())).isEqualTo(1);
        assertThat(ada.err).contains("DS8134", "no token in " + file).doesNotContain("lines");
    }

    /** A stand-in for oidc-token: it prints the token of the account, and writes down how it was called. */
    private void agent(String token) throws IOException {
        var bin = Files.createDirectories(folder.resolve("bin"));
        var program = bin.resolve("oidc-token");
        Files.deleteIfExists(program);
        Files.createFile(program, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(program, "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + folder.resolve("called") + "'\n" + token);
        ada.environment.put("PATH", bin + ":/usr/bin:/bin");
        ada.environment.put("OIDC_SOCK", folder.resolve("socket").toString());
    }

    @Test
    void anAgentGivesIdTokensWhereAccessTokensAreForOthers() throws IOException {
        agent("case $* in *--id-token*) echo '" + provider.token("deepsite") + "' ;; *) echo '"
                + provider.token("another") + "' ;; esac\n");

        logsIn("--agent", "lab");
        isAda();

        assertThat(Files.readAllLines(folder.resolve("called")))
                .containsExactly(
                        "--time=60 --aud=deepsite -- lab",
                        "--time=60 --id-token -- lab",
                        "--time=60 --id-token -- lab");
    }

    @Test
    void anAgentKeepsTheTokens() throws IOException {
        agent("case $* in *--id-token*) exit 1 ;; esac; echo '" + provider.token("deepsite") + "'\n");

        logsIn("--agent", "lab");
        isAda();

        assertThat(kept()).contains("\"account\":\"lab\"").doesNotContain("eyJ");
        assertThat(Files.readAllLines(folder.resolve("called"))).contains("--time=60 --aud=deepsite -- lab");
    }

    @Test
    void anAgentThatHasNoTokenSaysWhy() throws IOException {
        assertThat(login("--agent", "lab")).isEqualTo(1);
        assertThat(ada.err).contains("DS8134", "OIDC_SOCK is not set");

        agent("echo 'Account not loaded' >&2; exit 1\n");
        assertThat(login("--agent", "lab")).isEqualTo(1);
        assertThat(ada.err).contains("DS8134", "Account not loaded", "oidc-add lab", "oidc-gen --reauthenticate lab");

        ada.environment.put("PATH", folder.toString());
        assertThat(login("--agent", "lab")).isEqualTo(2);
        assertThat(ada.err).contains("DS8003", "apt-get install oidc-agent-cli");
    }

    @Test
    void aServiceWithoutAClientForTheCommandLineSaysSo() throws IOException {
        service.close();
        service = new ServiceInMemory(
                folder.resolve("other"), "login: {issuer: \"" + provider.issuer() + "\", clientId: deepsite}\n");

        assertThat(login()).isEqualTo(1);

        assertThat(ada.err).contains("DS8134", "login.publicClientId");
        assertThat(login("--name", "ada")).isEqualTo(1);
        assertThat(ada.err).contains("DS8134", "has no test login");
    }

    @Test
    void tokensAreGivenOverHttpsOnly() {
        provider.tokenEndpoint = "http://iam.example.org/token";

        assertThat(login()).isEqualTo(6);

        assertThat(ada.err).contains("DS8120", "only https keeps a login secret");
    }

    @Test
    void twoCommandsAtOnceRenewOnce() throws Exception {
        provider.lifetime = Duration.ofSeconds(20);
        logsIn();
        provider.lifetime = Duration.ofMinutes(5);
        var other = new Person(ada.home);

        var both = List.of(
                CompletableFuture.supplyAsync(() -> ada.types("whoami")),
                CompletableFuture.supplyAsync(() -> other.types("whoami")));

        for (var one : both) {
            assertThat(one.get()).as(ada.err + other.err).isZero();
        }
        assertThat(provider.refreshed).isEqualTo(1);
    }
}
