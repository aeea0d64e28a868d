package io.deepsite.remote;

import io.deepsite.diag.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.SocketFactory;
import net.schmizz.sshj.SSHClient;
import net.schmizz.sshj.common.SSHException;
import net.schmizz.sshj.common.SSHRuntimeException;
import net.schmizz.sshj.connection.channel.OpenFailException;
import net.schmizz.sshj.userauth.UserAuthException;
import net.schmizz.sshj.userauth.keyprovider.KeyProvider;
import org.jspecify.annotations.Nullable;

/** Connections by sshj. */
public final class SshRemote implements Remote {
    /** Detects within 90 seconds that a host died during a long command. */
    private static final int KEEP_ALIVE_SECONDS = 15;

    /** An sshd with many pending logins rejects new ones at random (MaxStartups). */
    private static final int TRIES = 3;

    /** OpenSSH's MaxStartups starts to reject logins at ten. */
    private static final int LOGINS_AT_A_HOP = 8;

    private final SshTimes times;
    private final Map<SshTarget, Semaphore> gates = new ConcurrentHashMap<>();

    public SshRemote(SshTimes times) {
        this.times = times;
    }

    @Override
    public SshHost open(SshTarget target) {
        for (int left = TRIES - 1; ; left--) {
            try {
                return tryOnce(target);
            } catch (TurnedAway e) {
                if (left == 0) {
                    throw e.failure;
                }
                rest(target);
            }
        }
    }

    private SshHost tryOnce(SshTarget target) throws TurnedAway {
        var hop = target.via().isPresent() ? openHop(target, target.via().get()) : null;
        var socket = hop == null ? new Socket() : hop.socket();
        var verifier = new OnlyItsKeys(target);
        var client = new SSHClient(new SshAlgorithms());
        boolean open = false;
        try {
            var login = login(client, target);
            client.addHostKeyVerifier(verifier);
            client.setSocketFactory(new OneSocket(socket));
            client.setConnectTimeout((int) times.connect().toMillis());
            // The deadline ends a wait; sshj's own limits must not be shorter.
            int patience = (int) times.login().plus(times.connect()).toMillis();
            client.getTransport().setTimeoutMs(patience);
            client.getConnection().setTimeoutMs(patience);
            client.getConnection().getKeepAlive().setKeepAliveInterval(KEEP_ALIVE_SECONDS);
            connect(client, target, login, hop, socket, verifier);
            open = true;
            return new SshHost(target, client, socket, hop);
        } finally {
            if (!open) {
                SshHost.close(client, socket, hop);
            }
        }
    }

    /** Many connections share one jump host, whose sshd rejects logins if more than a few are pending. */
    private SshHost openHop(SshTarget target, SshTarget hop) {
        var gate = gates.computeIfAbsent(hop, _ -> new Semaphore(LOGINS_AT_A_HOP));
        try {
            gate.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SshFaults.interrupted(target, e);
        }
        try {
            return open(hop);
        } finally {
            gate.release();
        }
    }

    private void rest(SshTarget target) {
        try {
            long pause = times.again().toMillis();
            // A random pause, so that rejected connections do not all retry at once.
            Thread.sleep(pause + ThreadLocalRandom.current().nextLong(pause + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SshFaults.interrupted(target, e);
        }
    }

    private void connect(
            SSHClient client,
            SshTarget target,
            KeyProvider login,
            @Nullable SshHost hop,
            Socket socket,
            OnlyItsKeys verifier)
            throws TurnedAway {
        boolean reached = false;
        boolean connected = false;
        try (var deadline = new Deadline(times.login().plus(times.connect()), socket)) {
            try {
                if (hop == null) {
                    client.connect(target.address(), target.port());
                } else {
                    var tunnel = hop.forward(target.address(), target.port());
                    reached = true;
                    client.connectVia(tunnel);
                }
                connected = true;
                client.authPublickey(target.user(), login);
            } catch (UserAuthException e) {
                throw fault(target, e, deadline, verifier, SshFaults.loginRefused(target, e));
            } catch (OpenFailException e) {
                throw fault(target, e, deadline, verifier, notForwarded(target, hop, e));
            } catch (IOException | SSHRuntimeException e) {
                var otherwise = connected ? SshFaults.broken(target, e) : SshFaults.silent(target, e);
                var failure = fault(target, e, deadline, verifier, otherwise);
                // The failure came after TCP and before the login, without a more specific cause.
                boolean answered = hop == null ? socket.isConnected() : reached;
                if (!connected && answered && failure.equals(otherwise)) {
                    throw new TurnedAway(failure);
                }
                throw failure;
            }
        }
    }

    private static Failure notForwarded(SshTarget target, @Nullable SshHost hop, OpenFailException e) {
        var through = hop == null ? target : hop.target();
        return e.getReason() == OpenFailException.Reason.CONNECT_FAILED
                ? SshFaults.silentBehind(target, through, e)
                : SshFaults.notPassedOn(target, through, e);
    }

    private Failure fault(SshTarget target, Exception e, Deadline deadline, OnlyItsKeys verifier, Failure otherwise) {
        if (Thread.currentThread().isInterrupted()) {
            return SshFaults.interrupted(target, e);
        }
        var refused = verifier.refused();
        if (refused.isPresent()) {
            return SshFaults.wrongKey(target, refused.get());
        }
        if (e instanceof SSHException && Objects.toString(e.getMessage(), "").contains("HostKeyAlgorithms")) {
            return SshFaults.noSuchKey(target, e);
        }
        return deadline.passed() ? SshFaults.slowLogin(target, times, e) : otherwise;
    }

    /** Read before connecting, so that an unusable key is not reported as an unreachable host. */
    private static KeyProvider login(SSHClient client, SshTarget target) {
        try {
            var login = client.loadKeys(target.privateKey().toString());
            login.getPublic();
            login.getPrivate();
            return login;
        } catch (IOException | RuntimeException e) {
            throw SshFaults.unusableKey(target, e);
        }
    }

    /** The server closed the connection before identifying itself. */
    private static final class TurnedAway extends Exception {
        private static final long serialVersionUID = 1;
        private final Failure failure;

        TurnedAway(Failure failure) {
            super(failure);
            this.failure = failure;
        }
    }

    /** Returns a socket that other threads can close: only that wakes every kind of wait. */
    private static final class OneSocket extends SocketFactory {
        private final Socket socket;

        OneSocket(Socket socket) {
            this.socket = socket;
        }

        @Override
        public Socket createSocket() {
            return socket;
        }

        @Override
        public Socket createSocket(String host, int port) throws UnknownHostException {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
            throw new UnsupportedOperationException();
        }
    }
}
