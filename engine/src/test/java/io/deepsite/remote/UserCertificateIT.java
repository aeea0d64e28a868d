package io.deepsite.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.SshPublicKey;
import io.deepsite.state.OpenSshKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.images.builder.Transferable;

/** OpenSSH's server with the settings of the role ssh_certificates, and its client with certificates that deepsite signed. */
class UserCertificateIT {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final OpenSshKey LOGIN = OpenSshKey.generate("login", RANDOM);
    private static final OpenSshKey AUTHORITY = OpenSshKey.generate("user_ca_ssh_key", RANDOM);
    private static final OpenSshKey THEIRS = OpenSshKey.generate("theirs", RANDOM);

    /** As the role's template renders it for the users admin and asked, with own keys off for asked only. */
    private static final String DROP_IN = """
            Match User admin,asked
                TrustedUserCAKeys /etc/ssh/deepsite_user_ca.pub
            Match User asked
                AuthorizedKeysFile none
            """;

    @TempDir
    static Path folder;

    private static OpenSshServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new OpenSshServer(LOGIN, keyFile("login", LOGIN));
        server.withCopyToContainer(
                Transferable.of("# ours\n%s\n".formatted(AUTHORITY.publicLine()).getBytes(UTF_8), 0644),
                "/etc/ssh/deepsite_user_ca.pub");
        server.withCopyToContainer(
                Transferable.of(DROP_IN.getBytes(UTF_8), 0644), "/etc/ssh/sshd_config.d/20-deepsite-certificates.conf");
        server.start();
        keyFile("theirs", THEIRS);
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Test
    void opensTheAccountThatItNames() throws Exception {
        assertThat(login("admin", certificate("admin", AUTHORITY, Duration.ofHours(1))))
                .isEqualTo("0 admin\n");
    }

    @Test
    void opensNoOtherAccount() throws Exception {
        var certificate = certificate("admin", AUTHORITY, Duration.ofHours(1));

        assertThat(login("asked", certificate)).startsWith("255 ").contains("Permission denied");
        assertThat(login("root", certificate)).startsWith("255 ").contains("Permission denied");
    }

    /** deepsite signs for no root; a thief of the authority's key could, and finds that it counts for users only. */
    @Test
    void theAuthorityDoesNotOpenRoot() throws Exception {
        assertThat(login("root", certificate("root", AUTHORITY, Duration.ofHours(1))))
                .startsWith("255 ")
                .contains("Permission denied");
    }

    @Test
    void opensNothingOnceItHasEnded() throws Exception {
        assertThat(login("admin", certificate("admin", AUTHORITY, Duration.ofSeconds(-1))))
                .startsWith("255 ")
                .contains("Permission denied");
    }

    @Test
    void anotherAuthorityOpensNothing() throws Exception {
        var other = OpenSshKey.generate("other", RANDOM);

        assertThat(login("admin", certificate("admin", other, Duration.ofHours(1))))
                .startsWith("255 ")
                .contains("Permission denied");
    }

    @Test
    void ownKeysOpenAnAccountUnlessTheyAreOff() throws Exception {
        assertThat(ssh("admin", folder.resolve("login"), List.of())).isEqualTo("0 admin\n");
        assertThat(ssh("root", folder.resolve("login"), List.of())).isEqualTo("0 root\n");
        assertThat(ssh("asked", folder.resolve("login"), List.of()))
                .startsWith("255 ")
                .contains("Permission denied");
        assertThat(login("asked", certificate("asked", AUTHORITY, Duration.ofHours(1))))
                .isEqualTo("0 asked\n");
    }

    private static String certificate(String principal, OpenSshKey authority, Duration left) {
        var now = Instant.now();
        return new UserCertificate(
                        SshPublicKey.parse(THEIRS.publicLine()),
                        "deepsite:lab:" + principal,
                        principal,
                        RANDOM.nextLong(),
                        now.minus(Duration.ofMinutes(5)),
                        now.plus(left))
                .signedBy(authority, RANDOM);
    }

    private static String login(String user, String certificate) throws Exception {
        var file = Files.createTempFile(folder, "certificate-", ".pub");
        Files.writeString(file, certificate + "\n");
        return ssh(user, folder.resolve("theirs"), List.of("-o", "CertificateFile=" + file));
    }

    private static String ssh(String user, Path key, List<String> more) throws Exception {
        var target = server.target(user);
        var known = Files.writeString(folder.resolve("known"), KnownHosts.text(List.of(target)));
        var words = new ArrayList<>(List.of(
                "ssh",
                "-F",
                "none",
                "-i",
                key.toString(),
                "-p",
                Integer.toString(target.port()),
                "-o",
                "IdentitiesOnly=yes",
                "-o",
                "BatchMode=yes",
                "-o",
                "StrictHostKeyChecking=yes",
                "-o",
                "UserKnownHostsFile=" + known));
        words.addAll(more);
        words.addAll(List.of(user + "@" + target.address(), "id -un"));
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor() + " " + said;
    }

    private static Path keyFile(String name, OpenSshKey key) throws Exception {
        var file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, key.privateKey().reveal());
    }
}
