package io.deepsite.service.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.service.login.SecretReference;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** With a real SMTP server of the distribution, which wants TLS and a login. */
class SmtpServerIT {
    private static final MailText TEXT =
            new MailText("[deepsite] Über x is ready", "Grüße\n.\nfrom a line with a dot\n");

    @TempDir
    static Path folder;

    @BeforeAll
    static void certificate() throws Exception {
        var made = new ProcessBuilder("../testbed/service/certificate", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        Files.writeString(folder.resolve("password"), "hunter2\n");
    }

    private record Server(Process process, BufferedReader out, int port) implements AutoCloseable {
        static Server start(String security) throws IOException {
            var process = new ProcessBuilder("../testbed/service/smtp.py", security, folder.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var out = process.inputReader();
            return new Server(process, out, Integer.parseInt(out.readLine()));
        }

        JsonNode mail() throws IOException {
            return JsonMapper.shared().readTree(out.readLine());
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    private static MailServer client(String host, int port, String security, String password, Optional<String> ca) {
        return new MailServer(
                new MailSettings(
                        host + ":" + port,
                        security,
                        "deepsite@example.org",
                        Optional.of("deepsite"),
                        Optional.of(new SecretReference(Optional.empty(), Optional.of("PASSWORD"))),
                        ca),
                Map.of("PASSWORD", password));
    }

    private static Optional<String> ca() {
        return Optional.of(folder.resolve("ca.crt").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"starttls", "tls"})
    void takesAMailOverTlsFromWhoHasThePassword(String security) throws Exception {
        try (var server = Server.start(security)) {
            client("localhost", server.port(), security, "hunter2", ca())
                    .send("alice@example.org", TEXT, "one@example.org", Instant.EPOCH);

            var mail = server.mail();
            assertThat(mail.path("from").asString()).isEqualTo("deepsite@example.org");
            assertThat(mail.path("to").toString()).isEqualTo("[\"alice@example.org\"]");
            assertThat(mail.path("text").asString())
                    .contains(
                            "Message-ID: <one@example.org>",
                            "Subject: =?UTF-8?Q?[deepsite]_=C3=9Cber_x_is_ready?=",
                            "Auto-Submitted: auto-generated",
                            "Gr=C3=BC=C3=9Fe\r\n..\r\n".replace("..", "."));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"starttls", "tls"})
    void nothingGoesToAServerThatTheAuthorityDoesNotKnow(String security) throws Exception {
        try (var server = Server.start(security)) {
            assertThatThrownBy(() -> client("localhost", server.port(), security, "hunter2", Optional.empty())
                            .send("alice@example.org", TEXT, "one@example.org", Instant.EPOCH))
                    .isInstanceOf(MessagingException.class);
            // Its certificate names localhost and 127.0.0.1 only.
            assertThatThrownBy(() -> client("127.0.0.2", server.port(), security, "hunter2", ca())
                            .send("alice@example.org", TEXT, "one@example.org", Instant.EPOCH))
                    .isInstanceOf(MessagingException.class);
        }
    }

    @Test
    void aWrongPasswordIsNoReasonToGiveTheMailUp() throws Exception {
        try (var server = Server.start("starttls")) {
            assertThatThrownBy(() -> client("localhost", server.port(), "starttls", "wrong", ca())
                            .send("alice@example.org", TEXT, "one@example.org", Instant.EPOCH))
                    .isInstanceOf(AuthenticationFailedException.class)
                    .hasMessageNotContaining("wrong");
        }
    }

    @Test
    void aRecipientThatTheServerDoesNotKnowIsRefusedForGood() throws Exception {
        try (var server = Server.start("starttls")) {
            assertThatThrownBy(() -> client("localhost", server.port(), "starttls", "hunter2", ca())
                            .send("nobody@example.org", TEXT, "one@example.org", Instant.EPOCH))
                    .isInstanceOf(MailServer.RefusedException.class)
                    .hasMessageContaining("no such mailbox");
        }
    }
}
