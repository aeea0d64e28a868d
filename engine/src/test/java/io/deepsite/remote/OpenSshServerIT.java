package io.deepsite.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.OpenSshKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the SSH server of a test's own JVM cannot show: OpenSSH and sudo as hosts have them, each server in a container. */
class OpenSshServerIT {
    private static final Duration LONG = Duration.ofHours(1);
    private static final OpenSshKey LOGIN = OpenSshKey.generate("login", new SecureRandom());
    private static final OpenSshKey STRANGER = OpenSshKey.generate("stranger", new SecureRandom());

    @TempDir
    static Path folder;

    private static OpenSshServer server;
    private final SshRemote remote = new SshRemote(new SshTimes(LONG, LONG, Duration.ofMillis(1)));

    @BeforeAll
    static void start() throws IOException {
        server = new OpenSshServer(LOGIN, keyFile("login", LOGIN));
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Test
    void logsInByKeyAndRunsAScript() {
        try (var host = remote.open(server.target("root"))) {
            var output = host.sh("id -un; echo err >&2; exit 3\n", LONG);

            assertThat(output.exit()).isEqualTo(3);
            assertThat(output.stdout()).isEqualTo("root\n");
            assertThat(output.stderr()).isEqualTo("err\n");
        }
    }

    @Test
    void tellsTheSignalThatEndedACommand() {
        try (var host = remote.open(server.target("root"))) {
            assertThat(host.sh("kill -KILL $$\n", LONG).exit()).isEqualTo(137);
        }
    }

    @Test
    void asksForNoLoginWhereTheHostKeyIsAnother() throws Exception {
        try (var other = started(new OpenSshServer(LOGIN, server.target("root").privateKey()))) {
            var fault = fault(other.target("root", server.hostKey));

            assertThat(fault.code()).isEqualTo(Code.HOST_KEY_WRONG);
            assertThat(fault.why())
                    .contains(HostKey.parse(server.hostKey.publicLine()).fingerprint())
                    .contains(HostKey.parse(other.hostKey.publicLine()).fingerprint());
            // sshd names the user here once a client asked for a login.
            assertThat(other.logged("[preauth]")).doesNotContain("user", "root");
        }
    }

    @Test
    void saysThatALoginIsRefused() throws Exception {
        var known = server.target("root");
        var stranger = new SshTarget(
                "server", known.address(), known.port(), "root", known.hostKey(), keyFile("stranger", STRANGER));

        assertThat(fault(stranger).code()).isEqualTo(Code.LOGIN_REFUSED);
        assertThat(server.logged("authenticating user root ")).contains("[preauth]");
        assertThat(fault(server.target("nobody-there")).code()).isEqualTo(Code.LOGIN_REFUSED);
    }

    @Test
    void becomesRootBySudoThatAsksForNoPassword() {
        try (var host = remote.open(server.target("admin"))) {
            assertThat(host.sh("echo $(id -un) $SUDO_USER\n", LONG).stdout()).isEqualTo("root admin\n");
        }
    }

    @Test
    void saysThatSudoAsksForAPassword() {
        try (var host = remote.open(server.target("asked"))) {
            var fault = fault(catchThrowableOfType(Failure.class, () -> host.sh("id", LONG)));

            assertThat(fault.code()).isEqualTo(Code.ROOT_NEEDED);
            assertThat(fault.why()).contains("sudo: a password is required");
            assertThat(fault.fix()).contains("asked ALL=(ALL) NOPASSWD: ALL");
        }
    }

    /** Longer than OpenSSH's window of two megabytes, and read slower than it comes. */
    @Test
    void feedsALongScriptWhole() {
        var script = new StringBuilder("sum=0\n");
        for (int i = 0; i < 200_000; i++) {
            script.append("sum=$((sum + 1)) # ").append(i).append('\n');
        }

        try (var host = remote.open(server.target("admin"))) {
            assertThat(host.sh(script + "echo $sum\n", LONG).stdout()).isEqualTo("200000\n");
        }
    }

    @Test
    void passesManyBytesThroughBothWays() {
        var bytes = new byte[16 << 20];
        new Random(1).nextBytes(bytes);
        var out = new ByteArrayOutputStream();

        try (var host = remote.open(server.target("root"))) {
            host.exec(List.of("cat"), new ByteArrayInputStream(bytes), out, OutputStream.nullOutputStream(), LONG);
        }

        assertThat(out.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void reachesAHostThatOnlyTheJumpHostReaches() throws Exception {
        try (var inside = started(OpenSshServer.inside(server));
                var host = remote.open(inside.through(server.target("admin")))) {
            assertThat(host.sh("echo ${SSH_CONNECTION% *}\n", LONG).stdout()).startsWith("127.0.0.1 ");
            assertThat(inside.logged("Accepted publickey")).contains(" for root from 127.0.0.1 ");
        }
    }

    @Test
    void saysThatTheJumpHostPassesNothingOn() {
        try (var gate = started(new OpenSshServer(LOGIN, server.target("root").privateKey(), "AllowTcpForwarding=no"));
                var inside = started(OpenSshServer.inside(gate))) {
            assertThat(fault(inside.through(gate.target("admin"))).code()).isEqualTo(Code.JUMP_FORBIDDEN);
        }
    }

    @Test
    void saysThatNothingIsBehindTheJumpHost() {
        try (var inside = started(OpenSshServer.inside(server))) {
            var way = inside.through(server.target("admin"));
            inside.lose();

            assertThat(fault(way).code()).isEqualTo(Code.HOST_SILENT);
        }
    }

    /** A connection that does not log in takes the only place (MaxStartups). */
    @Test
    void saysThatAServerTurnsLoginsAway() throws IOException {
        try (var full = started(new OpenSshServer(LOGIN, server.target("root").privateKey(), "MaxStartups=1:100:1"))) {
            var target = full.target("root");
            try (var idle = new Socket(target.address(), target.port())) {
                assertThat(idle.getInputStream().readNBytes("SSH-2.0-".length()))
                        .isEqualTo("SSH-2.0-".getBytes(UTF_8));

                assertThat(fault(target).code()).isEqualTo(Code.HOST_SILENT);
            }
        }
    }

    @Test
    void saysThatAHostWasLostUnderACommandAndKnowsItAgain() throws Exception {
        try (var lost = started(new OpenSshServer(LOGIN, server.target("root").privateKey()))) {
            try (var host = remote.open(lost.target("root"))) {
                var failure = catchThrowableOfType(
                        Failure.class,
                        () -> host.follow(
                                "echo runs\nexec tail -f /dev/null\n", new TreeMap<>(), LONG, _ -> lost.lose()));

                assertThat(fault(failure).code()).isEqualTo(Code.CONNECTION_BROKEN);
            }

            lost.startAgain();

            try (var host = remote.open(lost.target("root"))) {
                assertThat(host.sh("echo again\n", LONG).stdout()).isEqualTo("again\n");
            }
        }
    }

    /** What a role does that changes sshd's configuration: the command under way is not cut. */
    @Test
    void keepsAConnectionWhileSshdReadsItsConfigurationAnew() {
        try (var host = remote.open(server.target("admin"))) {
            assertThat(host.sh("kill -HUP 1; echo goes on\n", LONG).stdout()).isEqualTo("goes on\n");
            assertThat(host.sh("echo still\n", LONG).stdout()).isEqualTo("still\n");
        }
    }

    private static OpenSshServer started(OpenSshServer one) {
        one.start();
        return one;
    }

    private Diagnostic fault(SshTarget target) {
        return fault(catchThrowableOfType(Failure.class, () -> remote.open(target)));
    }

    private static Diagnostic fault(Failure failure) {
        return failure.diagnostics().getFirst();
    }

    private static Path keyFile(String name, OpenSshKey key) throws IOException {
        var file = Files.writeString(folder.resolve(name), key.privateKey().reveal());
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
