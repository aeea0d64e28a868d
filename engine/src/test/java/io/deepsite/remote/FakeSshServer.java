package io.deepsite.remote;

import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.jspecify.annotations.Nullable;

/** An SSH server on the loopback address of this machine, whose commands run in a real shell. */
public final class FakeSshServer implements AutoCloseable {
    /** What a command does; replaces the real shell to simulate faults. */
    @FunctionalInterface
    public interface Behaviour {
        int run(String command, InputStream in, OutputStream out, OutputStream err)
                throws IOException, InterruptedException;
    }

    final OpenSshKey hostKey;
    final OpenSshKey login = OpenSshKey.generate("login", new SecureRandom());
    final List<String> commands = new CopyOnWriteArrayList<>();
    final List<String> passedOn = new CopyOnWriteArrayList<>();
    private final Path folder;
    private final SshServer server = SshServer.setUpDefaultServer();
    private volatile Behaviour behaviour = FakeSshServer::shell;

    FakeSshServer(Path folder) throws IOException, GeneralSecurityException {
        this(folder, "127.0.0.1", 0, OpenSshKey.generate("host", new SecureRandom()), null);
    }

    /**
     * On a loopback address, with given keys.
     *
     * @param authorized line of the one key that may log in
     */
    public static FakeSshServer at(Path folder, String address, int port, OpenSshKey hostKey, String authorized)
            throws IOException, GeneralSecurityException {
        return new FakeSshServer(folder, address, port, hostKey, authorized);
    }

    private FakeSshServer(Path folder, String address, int port, OpenSshKey hostKey, @Nullable String authorized)
            throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.hostKey = hostKey;
        var accepted = PublicKeyEntry.parsePublicKeyEntry(authorized == null ? login.publicLine() : authorized)
                .resolvePublicKey(null, java.util.Map.of(), null);
        server.setHost(address);
        server.setPort(port);
        server.setKeyPairProvider(KeyPairProvider.wrap(keyPair(hostKey.privateKey())));
        server.setPublickeyAuthenticator(
                (user, key, _) -> !user.equals("stranger") && KeyUtils.compareKeys(accepted, key));
        server.setCommandFactory((_, command) -> new OneCommand(command));
        start();
    }

    /**
     * The address may still be in use after a server ended: a process that another test starts at that instant holds
     * the closed socket until its exec.
     */
    private void start() throws IOException {
        var giveUp = Instant.now().plus(Duration.ofMinutes(10));
        while (true) {
            try {
                server.start();
                return;
            } catch (BindException e) {
                if (Instant.now().isAfter(giveUp)) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** A second host key, of another kind. */
    HostKey alsoWith(KeyPair pair) throws IOException {
        server.setKeyPairProvider(KeyPairProvider.wrap(keyPairUnchecked(), pair));
        return HostKey.parse(PublicKeyEntry.toString(pair.getPublic()));
    }

    private KeyPair keyPairUnchecked() throws IOException {
        try {
            return keyPair(hostKey.privateKey());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    public FakeSshServer behaving(Behaviour next) {
        behaviour = next;
        return this;
    }

    /** Forwards connections, as a jump host does; by default it refuses. */
    FakeSshServer passingOn() {
        server.setForwardingFilter(new RejectAllForwardingFilter() {
            @Override
            public boolean canConnect(Type type, SshdSocketAddress address, Session session) {
                passedOn.add(address.toString());
                return true;
            }
        });
        return this;
    }

    SshTarget target(String user) throws IOException {
        return target(user, HostKey.parse(hostKey.publicLine()), keyFile(login));
    }

    SshTarget target(String user, HostKey expected, Path privateKey) {
        return new SshTarget("node-1", "127.0.0.1", server.getPort(), user, expected, privateKey);
    }

    Path keyFile(OpenSshKey key) throws IOException {
        var file = Files.createTempFile(
                folder, "key", "", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, key.privateKey().reveal());
    }

    /** Closes all connections without a disconnect message. */
    void dropConnections() {
        server.getActiveSessions().forEach(session -> session.close(true));
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }

    private static KeyPair keyPair(Secret privateKey) throws IOException, GeneralSecurityException {
        return SecurityUtils.loadKeyPairIdentities(
                        null,
                        () -> "key",
                        new java.io.ByteArrayInputStream(
                                privateKey.reveal().getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                        null)
                .iterator()
                .next();
    }

    /** Runs the command in a real shell of this machine. */
    public static int shell(String command, InputStream in, OutputStream out, OutputStream err)
            throws IOException, InterruptedException {
        var process = new ProcessBuilder("/bin/sh", "-c", command).start();
        // Not virtual: reading from a process's pipe blocks the carrier thread, and a machine has few of them.
        var feeding = Thread.ofPlatform().daemon().start(() -> pipe(in, process.getOutputStream(), true));
        var errors = Thread.ofPlatform().daemon().start(() -> pipe(process.getErrorStream(), err, false));
        pipe(process.getInputStream(), out, false);
        errors.join();
        feeding.interrupt();
        return process.waitFor();
    }

    private static void pipe(InputStream from, OutputStream to, boolean close) {
        try (var end = close ? to : OutputStream.nullOutputStream()) {
            var buffer = new byte[8192];
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                to.write(buffer, 0, read);
                to.flush();
            }
            end.flush();
        } catch (IOException e) {
            if (!close) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final class OneCommand implements Command {
        private final String command;
        private InputStream in = InputStream.nullInputStream();
        private OutputStream out = OutputStream.nullOutputStream();
        private OutputStream err = OutputStream.nullOutputStream();
        private ExitCallback exit = (_, _, _) -> {};
        private Thread thread = Thread.currentThread();

        OneCommand(String command) {
            this.command = command;
        }

        @Override
        public void setInputStream(InputStream stream) {
            in = stream;
        }

        @Override
        public void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public void setErrorStream(OutputStream stream) {
            err = stream;
        }

        @Override
        public void setExitCallback(ExitCallback callback) {
            exit = callback;
        }

        @Override
        public void start(ChannelSession channel, Environment environment) {
            commands.add(command);
            thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    int code = behaviour.run(command, in, out, err);
                    out.flush();
                    err.flush();
                    if (code >= 0) {
                        exit.onExit(code);
                    } else {
                        // No exit code, no disconnect message.
                        dropConnections();
                    }
                } catch (IOException | InterruptedException e) {
                    dropConnections();
                }
            });
        }

        @Override
        public void destroy(ChannelSession channel) {
            thread.interrupt();
        }
    }
}
