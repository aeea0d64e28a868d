package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.OpenSshKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that is reached through another: two real SSH servers, each with its own key and its own login. */
class SshJumpHostTest {
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    Path folder;

    private FakeSshServer gate;
    private FakeSshServer inner;
    private final SshRemote remote = new SshRemote(new SshTimes(LONG, LONG, Duration.ofMillis(1)));

    @BeforeEach
    void start() throws Exception {
        gate = new FakeSshServer(folder).passingOn();
        inner = new FakeSshServer(folder);
    }

    @AfterEach
    void stop() throws IOException {
        inner.close();
        gate.close();
    }

    @Test
    void runsCommandsOnTheHostBehind() throws IOException {
        try (var host = remote.open(behind(gate.target("admin"), inner.target("root")))) {
            assertThat(host.sh("echo there", LONG).stdout()).isEqualTo("there\n");
        }

        assertThat(inner.commands).hasSize(1);
        assertThat(gate.commands).isEmpty();
        assertThat(gate.passedOn).hasSize(1);
    }

    @Test
    void goesThroughSeveralInTurn() throws Exception {
        try (var outer = new FakeSshServer(folder).passingOn()) {
            var second = behind(outer.target("admin"), gate.target("admin"));

            try (var host = remote.open(behind(second, inner.target("root")))) {
                assertThat(host.sh("echo far", LONG).stdout()).isEqualTo("far\n");
            }
            assertThat(outer.passedOn).hasSize(1);
            assertThat(gate.passedOn).hasSize(1);
        }
    }

    @Test
    void endsAHostBehindThatTakesTooLong() throws IOException {
        inner.behaving((_, _, _, _) -> {
            new CountDownLatch(1).await();
            return 0;
        });

        try (var host = remote.open(behind(gate.target("admin"), inner.target("root")))) {
            var failure = catchThrowableOfType(Failure.class, () -> host.sh("x", Duration.ofMillis(300)));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.COMMAND_TOO_SLOW);
        }
    }

    @Test
    void checksTheKeyOfEachHostOnTheWay() throws IOException {
        var other =
                HostKey.parse(OpenSshKey.generate("other", new SecureRandom()).publicLine());
        var wrongGate = named("gate", gate.target("admin", other, gate.keyFile(gate.login)));
        var wrongInner = inner.target("root", other, inner.keyFile(inner.login));

        var atGate = fault(behind(wrongGate, inner.target("root")));
        var behind = fault(behind(named("gate", gate.target("admin")), wrongInner));

        assertThat(atGate.code()).isEqualTo(Code.HOST_KEY_WRONG);
        assertThat(atGate.why()).startsWith("gate (admin@");
        assertThat(behind.code()).isEqualTo(Code.HOST_KEY_WRONG);
        assertThat(behind.why()).startsWith("node-1 (root@").contains("through gate");
        assertThat(inner.commands).isEmpty();
    }

    @Test
    void saysWhichOfThemRefusesTheLogin() throws IOException {
        var fault = fault(behind(named("gate", gate.target("stranger")), inner.target("root")));

        assertThat(fault.code()).isEqualTo(Code.LOGIN_REFUSED);
        assertThat(fault.why()).startsWith("gate (stranger@");
    }

    @Test
    void saysThatAHostPassesNothingOn() throws Exception {
        try (var closed = new FakeSshServer(folder)) {
            var fault = fault(behind(named("gate", closed.target("admin")), inner.target("root")));

            assertThat(fault.code()).isEqualTo(Code.JUMP_FORBIDDEN);
            assertThat(fault.why()).contains("gate (admin@", "does not pass the connection on to node-1");
        }
    }

    @Test
    void saysThatNothingListensBehind() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var known = inner.target("root");
        var gone = new SshTarget("node-1", "127.0.0.1", port, "root", known.hostKey(), known.privateKey());

        var fault = fault(behind(named("gate", gate.target("admin")), gone));

        assertThat(fault.code()).isEqualTo(Code.HOST_SILENT);
        assertThat(fault.why()).contains("gate reaches nothing at this address and port");
    }

    private Diagnostic fault(SshTarget target) {
        return catchThrowableOfType(Failure.class, () -> remote.open(target))
                .diagnostics()
                .getFirst();
    }

    private static SshTarget named(String name, SshTarget target) {
        return new SshTarget(
                name, target.address(), target.port(), target.user(), target.hostKey(), target.privateKey());
    }

    private static SshTarget behind(SshTarget gate, SshTarget target) {
        return new SshTarget(
                target.name(),
                target.address(),
                target.port(),
                target.user(),
                target.hostKey(),
                target.privateKey(),
                Optional.of(gate));
    }
}
