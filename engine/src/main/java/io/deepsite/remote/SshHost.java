package io.deepsite.remote;

import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import net.schmizz.sshj.SSHClient;
import net.schmizz.sshj.common.SSHRuntimeException;
import net.schmizz.sshj.connection.channel.direct.DirectConnection;
import net.schmizz.sshj.connection.channel.direct.Session.Command;
import net.schmizz.sshj.connection.channel.direct.Signal;
import org.jspecify.annotations.Nullable;

/** One connection by sshj. */
final class SshHost implements RemoteHost {
    private static final List<String> SUDO = List.of("sudo", "-n", "--");
    private static final int SIGNAL_BASE = 128;
    private static final int SIGNAL_UNKNOWN = 255;
    private static final Map<Signal, Integer> SIGNALS = Map.ofEntries(
            Map.entry(Signal.HUP, 1),
            Map.entry(Signal.INT, 2),
            Map.entry(Signal.QUIT, 3),
            Map.entry(Signal.ILL, 4),
            Map.entry(Signal.ABRT, 6),
            Map.entry(Signal.FPE, 8),
            Map.entry(Signal.KILL, 9),
            Map.entry(Signal.USR1, 10),
            Map.entry(Signal.SEGV, 11),
            Map.entry(Signal.USR2, 12),
            Map.entry(Signal.PIPE, 13),
            Map.entry(Signal.ALRM, 14),
            Map.entry(Signal.TERM, 15));

    private final SshTarget target;
    private final SSHClient client;
    private final Socket socket;
    private final @Nullable SshHost hop;

    /**
     * @param socket of the first host on the route
     * @param hop the connection that this one runs in; closed with it
     */
    SshHost(SshTarget target, SSHClient client, Socket socket, @Nullable SshHost hop) {
        this.target = target;
        this.client = client;
        this.socket = socket;
        this.hop = hop;
    }

    Socket socket() {
        return socket;
    }

    /** Opens a tunnel to another host. */
    DirectConnection forward(String address, int port) throws IOException {
        return client.newDirectConnection(address, port);
    }

    @Override
    public SshTarget target() {
        return target;
    }

    @Override
    public int exec(List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
        var command = new ArrayList<String>(target.root() ? List.of() : SUDO);
        command.addAll(argv);
        var errors = new BoundedBytes(KEPT);
        try (var deadline = new Deadline(limit, socket)) {
            try {
                int exit = run(ShellWord.quote(command), stdin, stdout, new Both(stderr, errors));
                refuseWithoutRoot(exit, errors);
                return exit;
            } catch (IOException | SSHRuntimeException e) {
                throw fault(argv, deadline, limit, e);
            }
        }
    }

    private int run(String command, InputStream stdin, OutputStream stdout, OutputStream stderr) throws IOException {
        try (var session = client.startSession()) {
            var running = session.exec(command);
            var local = new AtomicReference<@Nullable UncheckedIOException>();
            var in = Thread.ofVirtual().name("ssh-stdin").start(() -> feed(stdin, running));
            var err = Thread.ofVirtual().name("ssh-stderr").start(() -> drain(running.getErrorStream(), stderr, local));
            try {
                copy(running.getInputStream(), stdout);
                join(err);
                running.join();
            } finally {
                in.interrupt();
                err.interrupt();
            }
            var failed = local.get();
            if (failed != null) {
                throw failed;
            }
            return exit(running);
        }
    }

    private static int exit(Command ended) throws IOException {
        var status = ended.getExitStatus();
        if (status != null) {
            return status;
        }
        var signal = ended.getExitSignal();
        if (signal == null) {
            throw new IOException("the command ended without an exit code");
        }
        return SIGNALS.containsKey(signal) ? SIGNAL_BASE + SIGNALS.get(signal) : SIGNAL_UNKNOWN;
    }

    /** A command that does not read all of its input is no fault. */
    private static void feed(InputStream stdin, Command running) {
        try (var to = running.getOutputStream()) {
            stdin.transferTo(to);
            // Closing alone drops what does not fit in the other side's window at that moment.
            to.flush();
        } catch (IOException | SSHRuntimeException e) {
            // The command's exit code shows a lack of input; the reading side reports a broken connection.
            return;
        }
    }

    private static void drain(
            InputStream from, OutputStream to, AtomicReference<@Nullable UncheckedIOException> failed) {
        try {
            try {
                copy(from, to);
            } catch (UncheckedIOException e) {
                failed.set(e);
                // Unread output would eventually block the command.
                from.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException | SSHRuntimeException e) {
            // The reader of stdout gets the same error and reports it.
            return;
        }
    }

    /** @throws UncheckedIOException if the local side fails */
    private static void copy(InputStream from, OutputStream to) throws IOException {
        var buffer = new byte[16 * 1024];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            try {
                to.write(buffer, 0, read);
                to.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void join(Thread thread) throws InterruptedIOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private void refuseWithoutRoot(int exit, BoundedBytes said) {
        if (target.root() || exit == 0) {
            return;
        }
        var text = said.text();
        if ((exit == 1 && text.startsWith("sudo: "))
                || (exit == 127 && text.contains("sudo") && text.contains("not found"))) {
            throw SshFaults.rootNeeded(target, text);
        }
    }

    private Failure fault(List<String> argv, Deadline deadline, Duration limit, Exception e) {
        if (deadline.passed()) {
            return SshFaults.tooSlow(target, argv.getFirst(), limit);
        }
        return Thread.currentThread().isInterrupted() || e instanceof InterruptedIOException
                ? SshFaults.interrupted(target, e)
                : SshFaults.broken(target, e);
    }

    @Override
    public void close() {
        close(client, socket, hop);
    }

    /** Disconnects properly if the other side still responds, and frees all resources in any case. */
    static void close(SSHClient client, Socket socket, @Nullable SshHost hop) {
        try (socket;
                hop;
                var _ = new Deadline(Duration.ofSeconds(2), socket)) {
            client.disconnect();
        } catch (IOException e) {
            // It is closed either way.
            return;
        }
    }

    /** Writes the same to two streams. */
    private static final class Both extends OutputStream {
        private final OutputStream first;
        private final OutputStream second;

        Both(OutputStream first, OutputStream second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void write(int b) throws IOException {
            first.write(b);
            second.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            first.write(bytes, offset, length);
            second.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            first.flush();
        }
    }
}
