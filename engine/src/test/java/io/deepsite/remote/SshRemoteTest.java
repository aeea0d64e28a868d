package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.state.OpenSshKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SshRemoteTest {
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    Path folder;

    private FakeSshServer server;
    private final SshRemote remote = new SshRemote(new SshTimes(LONG, LONG, Duration.ofMillis(1)));

    @BeforeEach
    void start() throws Exception {
        server = new FakeSshServer(folder);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void runsAScriptThatIsInNoArgument() throws IOException {
        try (var host = remote.open(server.target("root"))) {
            var output = host.sh("echo out; echo err >&2; exit 3\n", LONG);

            assertThat(output.exit()).isEqualTo(3);
            assertThat(output.stdout()).isEqualTo("out\n");
            assertThat(output.stderr()).isEqualTo("err\n");
        }
        assertThat(server.commands).containsExactly("'/bin/sh' '-s'");
    }

    @Test
    void registersNoSecurityProviderOfItsOwn() throws IOException {
        try (var host = remote.open(server.target("root"))) {
            assertThat(host.sh("exit 0", LONG).exit()).isZero();
        }

        assertThat(Security.getProviders()).extracting(Provider::getName).doesNotContain("BC");
    }

    @Test
    void runsSeveralCommandsOverOneConnection() throws IOException {
        try (var host = remote.open(server.target("root"))) {
            assertThat(host.sh("echo 1", LONG).stdout()).isEqualTo("1\n");
            assertThat(host.sh("echo 2", LONG).stdout()).isEqualTo("2\n");
        }
    }

    @Test
    void keepsArgumentsApartWhateverIsInThem() throws IOException {
        var nasty = List.of("printf", "%s|", "a b", "$(id)", "it's", "`x`", "\"", "\\", "*", "", "-n", "ä\n;#");
        var out = new ByteArrayOutputStream();

        try (var host = remote.open(server.target("root"))) {
            host.exec(nasty, InputStream.nullInputStream(), out, OutputStream.nullOutputStream(), LONG);
        }

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(String.join("|", nasty.subList(2, nasty.size())) + "|");
    }

    @Test
    void passesInputAndOutputThrough() throws IOException {
        var bytes = new byte[3_000_000];
        new java.util.Random(1).nextBytes(bytes);
        var out = new ByteArrayOutputStream();

        try (var host = remote.open(server.target("root"))) {
            host.exec(List.of("cat"), new ByteArrayInputStream(bytes), out, OutputStream.nullOutputStream(), LONG);
        }

        assertThat(out.toByteArray()).isEqualTo(bytes);
    }

    /** The server's window is full when the input ends: the rest follows when there is room again. */
    @Test
    void passesTheEndOfAnInputThatIsNotReadYet() throws IOException {
        int size = 0x200000 + 100;
        var ended = new CountDownLatch(1);
        var input = new SequenceInputStream(new ByteArrayInputStream(new byte[size]), new InputStream() {
            @Override
            public int read() {
                ended.countDown();
                return -1;
            }
        });
        var read = new AtomicInteger();
        server.behaving((_, in, _, _) -> {
            ended.await();
            read.set(in.readAllBytes().length);
            return 0;
        });

        try (var host = remote.open(server.target("root"))) {
            host.exec(List.of("wc"), input, OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), LONG);
        }

        assertThat(read).hasValue(size);
    }

    @Test
    void streamsLinesWithTheEnvironment() throws IOException {
        var lines = new ArrayList<String>();
        var environment = new TreeMap<>(java.util.Map.of("DEEPSITE_FRESH", "a 'b' $c"));

        try (var host = remote.open(server.target("root"))) {
            host.follow("echo \"$DEEPSITE_FRESH\"\ncat\nprintf 'no line break'\n", environment, LONG, lines::add);
        }

        assertThat(lines).containsExactly("a 'b' $c", "no line break");
    }

    @Test
    void keepsOnlySoMuchOfTheOutput() throws IOException {
        try (var host = remote.open(server.target("root"))) {
            var output = host.sh("head -c 5000000 /dev/zero | tr '\\0' x; echo end >&2", LONG, 100);

            assertThat(output.stdout()).hasSize(100);
            assertThat(output.cut()).isTrue();
            assertThat(output.stderr()).isEqualTo("end\n");
        }
    }

    @Test
    void refusesAWrongHostKeyBeforeTheLogin() throws IOException {
        var other = OpenSshKey.generate("other", new SecureRandom());
        var target = server.target("root", HostKey.parse(other.publicLine()), server.keyFile(server.login));

        var failure = failure(target);

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_KEY_WRONG);
        assertThat(failure.diagnostics().getFirst().why())
                .contains(HostKey.parse(server.hostKey.publicLine()).fingerprint())
                .contains(HostKey.parse(other.publicLine()).fingerprint())
                .contains("before it sent anything");
        assertThat(server.commands).isEmpty();
    }

    @Test
    void knowsHostsByEcdsaAndRsaKeysToo() throws Exception {
        for (var kind : List.of("EC", "RSA")) {
            var generator = KeyPairGenerator.getInstance(kind);
            generator.initialize(kind.equals("EC") ? 256 : 2048);
            var key = server.alsoWith(generator.generateKeyPair());

            try (var host = remote.open(server.target("root", key, server.keyFile(server.login)))) {
                assertThat(host.sh("echo " + kind, LONG).stdout()).isEqualTo(kind + "\n");
            }
        }
    }

    @Test
    void retriesWhenTheServerRejectsTheConnection() throws Exception {
        try (var door = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var visits = new AtomicInteger();
            var keeper = Thread.ofVirtual().start(() -> turnAway(door, visits));
            var known = server.target("root");

            var failure = catchThrowableOfType(
                    Failure.class,
                    () -> remote.open(new SshTarget(
                            "n", "127.0.0.1", door.getLocalPort(), "root", known.hostKey(), known.privateKey())));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_SILENT);
            assertThat(visits.get()).isEqualTo(3);
            door.close();
            keeper.join();
        }
    }

    private static void turnAway(ServerSocket door, AtomicInteger visits) {
        try {
            while (true) {
                try (var _ = door.accept()) {
                    visits.incrementAndGet();
                }
            }
        } catch (IOException e) {
            // The test is over.
            return;
        }
    }

    @Test
    void refusesAHostThatHasNoKeyOfTheKnownType() throws IOException {
        var rsa = "AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7m4";
        var target = server.target("root", HostKey.parse("ssh-rsa " + rsa), server.keyFile(server.login));

        assertThat(code(target)).isEqualTo(Code.HOST_KEY_WRONG);
    }

    @Test
    void saysThatALoginIsRefused() throws IOException {
        var stranger = server.keyFile(OpenSshKey.generate("stranger", new SecureRandom()));

        assertThat(code(server.target("root", HostKey.parse(server.hostKey.publicLine()), stranger)))
                .isEqualTo(Code.LOGIN_REFUSED);
        assertThat(code(server.target("stranger"))).isEqualTo(Code.LOGIN_REFUSED);
    }

    @Test
    void connectsNotAtAllWithoutAUsableKey() throws IOException {
        var key = HostKey.parse(server.hostKey.publicLine());
        var garbage = Files.writeString(folder.resolve("garbage"), "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n");

        assertThat(code(server.target("root", key, folder.resolve("missing")))).isEqualTo(Code.LOGIN_KEY_UNUSABLE);
        assertThat(code(server.target("root", key, garbage))).isEqualTo(Code.LOGIN_KEY_UNUSABLE);
    }

    @Test
    void givesUpOnAServerThatNeverSpeaks() throws IOException {
        try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var known = server.target("root");
            var target = new SshTarget(
                    "node-1", "127.0.0.1", silent.getLocalPort(), "root", known.hostKey(), known.privateKey());
            var impatient =
                    new SshRemote(new SshTimes(Duration.ofMillis(500), Duration.ofMillis(150), Duration.ofMillis(1)));

            var failure = catchThrowableOfType(Failure.class, () -> impatient.open(target));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_SILENT);
            assertThat(failure.diagnostics().getFirst().why()).contains("accepted the connection");
        }
    }

    @Test
    void saysThatNothingListens() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var known = server.target("root");

        var failure = failure(new SshTarget("n", "127.0.0.1", port, "root", known.hostKey(), known.privateKey()));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.HOST_SILENT);
        assertThat(failure.diagnostics().getFirst().why()).contains("nothing listens at this port");
    }

    @Test
    void givesUpOnACommandThatTakesTooLong() throws IOException {
        server.behaving((_, _, out, _) -> {
            out.write("first\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            new CountDownLatch(1).await();
            return 0;
        });

        try (var host = remote.open(server.target("root"))) {
            var failure = catchThrowableOfType(Failure.class, () -> host.sh("x", Duration.ofMillis(300)));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.COMMAND_TOO_SLOW);
        }
    }

    @Test
    void saysThatTheConnectionBroke() throws IOException {
        server.behaving((_, _, out, _) -> {
            out.write("deepsite-probe 1 x\n{\"n\":1".getBytes(StandardCharsets.UTF_8));
            out.flush();
            return -1;
        });

        try (var host = remote.open(server.target("root"))) {
            var failure = catchThrowableOfType(Failure.class, () -> host.sh("x", LONG));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.CONNECTION_BROKEN);
        }
    }

    @Test
    void becomesRootBySudo() throws IOException {
        server.behaving((command, _, out, _) -> {
            out.write(command.getBytes(StandardCharsets.UTF_8));
            return 0;
        });

        try (var host = remote.open(server.target("admin"))) {
            assertThat(host.sh("id", LONG).stdout()).isEqualTo("'sudo' '-n' '--' '/bin/sh' '-s'");
        }
    }

    @Test
    void saysThatSudoWantsAPassword() throws IOException {
        server.behaving((_, _, _, err) -> {
            err.write("sudo: a password is required\n".getBytes(StandardCharsets.UTF_8));
            return 1;
        });

        try (var host = remote.open(server.target("admin"))) {
            var failure = catchThrowableOfType(Failure.class, () -> host.sh("id", LONG));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.ROOT_NEEDED);
        }
    }

    private Failure failure(SshTarget target) {
        return catchThrowableOfType(Failure.class, () -> remote.open(target));
    }

    private Code code(SshTarget target) {
        return failure(target).diagnostics().getFirst().code();
    }
}
