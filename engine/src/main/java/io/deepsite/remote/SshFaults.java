package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.stream.Collectors;

/** The diagnostics of SSH connections. */
final class SshFaults {
    private SshFaults() {}

    static Failure silent(SshTarget target, Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.HOST_SILENT,
                        target + ": " + reason(target, e) + ". Nothing was changed there.",
                        "Check whether the machine runs, and whether its SSH server is reachable from here:",
                        ssh(target, "-v ")),
                e);
    }

    /** @param said by the jump host, which accepts the login but does not forward */
    static Failure notPassedOn(SshTarget target, SshTarget hop, Exception said) {
        return new Failure(
                Diagnostic.error(
                        Code.JUMP_FORBIDDEN,
                        hop + " lets " + hop.user() + " in, but does not forward the connection to " + target.name()
                                + ": " + words(said) + ". Nothing was changed.",
                        "Its sshd must permit it (in /etc/ssh/sshd_config there), for this user at least:",
                        "AllowTcpForwarding local"),
                said);
    }

    /** @param said by the jump host, which tried */
    static Failure silentBehind(SshTarget target, SshTarget hop, Exception said) {
        return new Failure(
                Diagnostic.error(
                        Code.HOST_SILENT,
                        target + ": " + hop.name() + " reaches nothing at this address and port (" + words(said)
                                + "). Nothing was changed there.",
                        "Check whether the machine runs, and whether its SSH server is reachable from " + hop.name()
                                + ":",
                        ssh(target, "-v ")),
                said);
    }

    static Failure slowLogin(SshTarget target, SshTimes times, Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.HOST_SILENT,
                        target + " accepted the connection, but the login did not complete within "
                                + times.login().plus(times.connect()).toSeconds() + " s. Nothing was changed there.",
                        "A machine that boots, is overloaded or waits for a name server is slow here. Find out"
                                + " what it waits for:",
                        ssh(target, "-v ")),
                e);
    }

    static Failure wrongKey(SshTarget target, HostKey shown) {
        return new Failure(Diagnostic.error(
                Code.HOST_KEY_WRONG,
                target + " shows the host key " + shown.type() + " " + shown.fingerprint() + ", but its key is "
                        + target.hostKey().type() + " " + target.hostKey().fingerprint()
                        + ". Another machine answers at this address, the host was reinstalled, or an attacker"
                        + " intercepts the connection. deepsite closed the connection before it sent anything.",
                "Find out which, on the machine's own console. Only if the new key is the machine's own"
                        + " (this prints it there), replace the old one in the inventory, or recreate the machine:",
                "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub"));
    }

    static Failure noSuchKey(SshTarget target, Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.HOST_KEY_WRONG,
                        target + " has no host key of type " + target.hostKey().type() + ", but its key is "
                                + target.hostKey().fingerprint()
                                + " of that type. Another machine answers at this address, or the host was"
                                + " reinstalled. deepsite closed the connection before it sent anything."
                                + " (" + words(e) + ")",
                        "Check on the machine's own console which keys it has:",
                        "ls -l /etc/ssh/ssh_host_*_key.pub"),
                e);
    }

    static Failure loginRefused(SshTarget target, Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.LOGIN_REFUSED,
                        target + " is the right host, but it does not let " + target.user() + " in with the key "
                                + target.privateKey() + ": " + words(e) + ". Nothing was changed there.",
                        "The public half must be in the authorized_keys of " + target.user() + " on the host"
                                + (target.root() ? ", and its sshd must permit root to log in with a key" : "")
                                + ". This prints it:",
                        "ssh-keygen -yf " + target.privateKey()),
                e);
    }

    static Failure unusableKey(SshTarget target, Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.LOGIN_KEY_UNUSABLE,
                        target.privateKey() + ", the private key for " + target + ", cannot be used: " + words(e)
                                + ". No connection was tried.",
                        "It must exist, be readable and be without a passphrase (deepsite never prompts during its"
                                + " work). Put it back from a backup, or name another one in ssh.key. This"
                                + " shows what is in it:",
                        "ssh-keygen -yf " + target.privateKey()),
                e);
    }

    static Failure broken(SshTarget target, Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.CONNECTION_BROKEN,
                        "The connection to " + target + " broke: " + words(e)
                                + ". It is unknown whether the command completed.",
                        "Check whether the machine still runs, then run the same command again."),
                e);
    }

    static Failure tooSlow(SshTarget target, String command, Duration limit) {
        return new Failure(Diagnostic.error(
                Code.COMMAND_TOO_SLOW,
                command + " on " + target + " was aborted after " + limit.toSeconds() + " s. It may still run there.",
                "Find out what keeps the machine busy:",
                ssh(target, "") + " top -bn1"));
    }

    static Failure unanswered(SshTarget target, ProbeScript.Question.OfAction action) {
        return new Failure(Diagnostic.error(
                Code.COMMAND_TOO_SLOW,
                target + " did not answer in time whether the action " + action.key() + " is done ("
                        + String.join(" ", action.action().done()) + ").",
                "Run that command on the machine, and find out what keeps the machine busy:",
                ssh(target, "") + " top -bn1"));
    }

    static Failure rootNeeded(SshTarget target, String said) {
        return new Failure(Diagnostic.error(
                Code.ROOT_NEEDED,
                target.user() + " logs in to " + target + ", but may not become root without a password: "
                        + said.strip() + ". Nothing was changed there.",
                "Allow it on the host, in a file of its own in /etc/sudoers.d (visudo -f), with the line: "
                        + target.user() + " ALL=(ALL) NOPASSWD: ALL"));
    }

    static Failure interrupted(SshTarget target, Exception e) {
        return new Failure(Diagnostic.error(Code.CANCELLED, "The work on " + target + " was interrupted.", ""), e);
    }

    /** A command to paste; it still verifies the host key. */
    static String ssh(SshTarget target, String options) {
        var hops = target.hops().stream().map(SshTarget::login).collect(Collectors.joining(","));
        return "ssh " + options + (hops.isEmpty() ? "" : "-J " + hops + " ") + "-i " + target.privateKey() + " -p "
                + target.port() + " " + target.user() + "@" + target.address();
    }

    private static String reason(SshTarget target, Exception e) {
        return switch (e) {
            case UnknownHostException _ -> "no name server knows " + target.address();
            case NoRouteToHostException _ -> "there is no route to this address (" + words(e) + ")";
            case SocketTimeoutException _ -> "nothing answers at this address and port";
            case ConnectException _ ->
                words(e).contains("refused")
                        ? "the machine answers, but nothing listens at this port (connection refused)"
                        : words(e);
            case EOFException _ -> "the server ended the connection";
            default -> words(e);
        };
    }

    private static String words(Exception e) {
        Throwable innermost = e;
        while (innermost.getCause() != null && innermost.getMessage() == null) {
            innermost = innermost.getCause();
        }
        var message = innermost.getMessage();
        if (message != null && message.contains("Unknown key file")) {
            return "it holds no private key that OpenSSH knows";
        }
        return message == null || message.isBlank() ? innermost.getClass().getSimpleName() : message;
    }
}
