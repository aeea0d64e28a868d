package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code deepsite certificate} for a site with one machine; {@code ssh-keygen} reads what it signs. */
class CertificateCommandTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private FaultStory story;

    @BeforeEach
    void apply() throws Exception {
        story = new FaultStory(folder);
        CertificateFaults.site(story).does("apply", "site.yaml", "--yes", "--quiet");
    }

    @AfterEach
    void close() throws Exception {
        story.close();
    }

    @Test
    void signsForOneAccountAndTheTimeThatTheSiteAllows() throws Exception {
        var asked = story.now();

        var json = json();

        assertThat(json.path("user").asString()).isEqualTo("deepsite-fault");
        assertThat(texts(json.path("principals"))).containsExactly("deepsite-fault");
        assertThat(json.path("validFrom").asString())
                .isEqualTo(asked.minus(Duration.ofMinutes(5)).toString());
        assertThat(json.path("validUntil").asString())
                .isEqualTo(asked.plus(Duration.ofHours(2)).toString());
        assertThat(json.path("endsWithLease").asBoolean()).isFalse();
        assertThat(json.path("hosts").path(0).path("name").asString()).isEqualTo("box");
        assertThat(json.path("hosts").path(0).path("hostKey").asString()).startsWith("ssh-ed25519 ");
        assertThat(json.path("file").asString()).endsWith("out/key-cert.pub");
        assertThat(read())
                .contains(
                        "Type: ssh-ed25519-cert-v01@openssh.com user certificate",
                        "Key ID: \"deepsite:lab:deepsite-fault\"",
                        "Serial: " + json.path("serial").asString(),
                        "Valid: from 2026-01-02T03:00:05 to 2026-01-02T05:05:05",
                        "Critical Options: (none)")
                .containsSubsequence(
                        "Principals:",
                        "deepsite-fault",
                        "Extensions:",
                        "permit-agent-forwarding",
                        "permit-port-forwarding",
                        "permit-pty");
        assertThat(read().getLast()).isEqualTo("permit-pty");
    }

    @Test
    void endsEarlierWhereThatIsAsked() {
        var asked = story.now();

        assertThat(json("--for", "30m").path("validUntil").asString())
                .isEqualTo(asked.plus(Duration.ofMinutes(30)).toString());
    }

    @Test
    void noCertificateOutlivesTheLease() {
        story.write("site.yaml", story.read("site.yaml") + "lease: {duration: 1h}\n")
                .does("apply", "site.yaml", "--yes", "--quiet");
        var begin = story.now();

        var json = json();

        assertThat(json.path("endsWithLease").asBoolean()).isTrue();
        assertThat(json.path("validUntil").asString())
                .isLessThan(begin.plus(Duration.ofHours(1)).toString())
                .isGreaterThan(begin.toString());
        story.later(Duration.ofHours(1));
        var late = attempt();
        assertThat(late.exit()).isEqualTo(2);
        assertThat(late.stderr()).contains("DS7003");
    }

    @Test
    void printsHowToLogIn() {
        story.write("out/key", "the private half\n");

        sign();

        assertThat(story.normal(story.stdout())).isEqualTo("""
                deepsite-fault logs in with out/key-cert.pub until 2026-01-02 05:05 UTC, in 2 h.
                One host accepts it: box. Log in to box:

                    ssh -i out/key -p PORT deepsite-fault@ADDRESS

                The first time ssh asks about the host's key, which is SHA256:FINGERPRINT.
                """);
    }

    @Test
    void aKeyOfSomebodyElseHasNoPrivateHalfHere() {
        sign();

        assertThat(story.normal(story.stdout()))
                .contains("    ssh -o CertificateFile=out/key-cert.pub -p PORT deepsite-fault@ADDRESS\n");
    }

    @Test
    void readsAKeyFromStdinAndWritesNoFile() {
        story.answering(CertificateFaults.KEY.strip());

        story.does("certificate", "deepsite-fault", "--key", "-", "--site", "site.yaml");

        assertThat(story.stdout()).matches("ssh-ed25519-cert-v01@openssh.com \\S+ deepsite:lab:deepsite-fault\n");
        assertThat(folder.resolve("out/key-cert.pub")).doesNotExist();
    }

    @Test
    void replacesACertificateAndNothingElse() {
        sign();
        var first = story.read("out/key-cert.pub");
        sign();
        assertThat(story.read("out/key-cert.pub")).isNotEqualTo(first);

        story.write("out/other.json", "something\n");
        var onAnother = attempt("-o", "out/other.json");
        assertThat(onAnother.exit()).isEqualTo(2);
        assertThat(onAnother.stderr()).contains("DS8002", "is no certificate");
        assertThat(story.read("out/other.json")).isEqualTo("something\n");
    }

    @Test
    void refusesOtherThanPublicKeys() {
        story.write("out/key.pub", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n");
        assertThat(attempt("--quiet").exit()).isEqualTo(2);

        story.write("out/key.pub", CertificateFaults.KEY);
        sign();
        story.write("out/key.pub", story.read("out/key-cert.pub"));
        var onCertificate = attempt();
        assertThat(onCertificate.exit()).isEqualTo(2);
        assertThat(onCertificate.stderr()).contains("DS1117", "This is a certificate");
    }

    private JsonNode json(String... more) {
        var words = new ArrayList<>(List.of(more));
        words.add("--json");
        assertThat(attempt(words.toArray(String[]::new)).exit()).isZero();
        return JSON.readTree(story.stdout());
    }

    private void sign() {
        assertThat(attempt().exit()).isZero();
    }

    private FaultStory.Said attempt(String... more) {
        var words = new ArrayList<>(
                List.of("certificate", "deepsite-fault", "--key", "out/key.pub", "--site", "site.yaml"));
        words.addAll(List.of(more));
        return story.attempt(words.toArray(String[]::new));
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    /** The lines of {@code ssh-keygen -L}, an independent reader. */
    private List<String> read() throws Exception {
        var program = new ProcessBuilder(
                "ssh-keygen", "-L", "-f", folder.resolve("out/key-cert.pub").toString());
        program.environment().put("TZ", "UTC");
        var process = program.redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().map(String::strip).toList();
    }
}
