package io.deepsite.lxd;

import io.deepsite.diag.Causes;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.EOFException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Turns errors of LXD and of the connection into diagnostics. */
final class Faults {
    /** {@code Failed to load kernel module 'overlay': …}; some versions use double quotes. */
    private static final Pattern KERNEL_MODULE = Pattern.compile("kernel module ['\"]?([A-Za-z0-9_-]+)");

    static final String NOTHING_CHANGED = "Nothing was changed.";

    private final DaemonAddress at;
    private final Daemon daemon;

    Faults(DaemonAddress at) {
        this.at = at;
        this.daemon = at.daemon();
    }

    Failure unreachable(IOException cause) {
        var message = words(cause);
        if (message.contains("Permission denied")) {
            return new Failure(
                    Diagnostic.error(
                            Code.LXD_NO_RIGHTS,
                            "This user may not open " + at.endpoint() + ".",
                            "Join the group " + daemon.group() + " and log in again, or run deepsite as root:",
                            "sudo usermod -aG " + daemon.group() + " \"$USER\""),
                    cause);
        }
        if (Causes.of(cause).anyMatch(CertificateException.class::isInstance)) {
            return new Failure(
                    Diagnostic.error(
                            Code.LXD_WRONG_CERTIFICATE,
                            "The server at " + at.endpoint()
                                    + " does not show the certificate that serverCertificate names.",
                            "If the server has a new certificate, get it over a channel you trust and put it in that file."
                                    + " Otherwise the connection is being intercepted."),
                    cause);
        }
        var refused = Causes.of(cause)
                .filter(SSLException.class::isInstance)
                .map(fault -> words((SSLException) fault))
                .filter(words -> words.contains("certificate"))
                .findFirst();
        if (refused.isPresent()) {
            return new Failure(
                    notTrusted("The server at " + at.endpoint() + " refused the client certificate: " + refused.get()));
        }
        return at.isSocket() ? socketUnreachable(cause, message) : hostUnreachable(cause, message);
    }

    private Failure socketUnreachable(IOException cause, String message) {
        return new Failure(
                Diagnostic.error(
                        Code.PROVIDER_UNREACHABLE,
                        at + " does not answer: " + message + ".",
                        "Start " + daemon + ", or name its socket in " + daemon.setting("endpoint")
                                + daemon.otherSocket()
                                        .map(where -> "; " + where)
                                        .orElse("") + ". To start it with systemd:",
                        "systemctl start " + daemon.key()),
                cause);
    }

    private Failure hostUnreachable(IOException cause, String message) {
        return new Failure(
                Diagnostic.error(
                        Code.PROVIDER_UNREACHABLE,
                        at + " does not answer: " + message + ".",
                        "Check the address and the network to it. This command shows, on " + daemon.host()
                                + ", where it listens:",
                        daemon.client("config get core.https_address")),
                cause);
    }

    Diagnostic notTrusted(String why) {
        return Diagnostic.error(
                Code.LXD_NOT_TRUSTED,
                why,
                "Make " + daemon.host() + " trust the client certificate that " + daemon.setting("certificate")
                        + " names. Run the first command on that host, put the token that it prints into a file here, and run the second:",
                daemon.trust(),
                "deepsite enroll --token-file " + daemon.tokenFile());
    }

    Failure refused(Refusal refusal) {
        return new Failure(diagnostic(refusal), refusal);
    }

    private Diagnostic diagnostic(Refusal refusal) {
        var error = refusal.error().toLowerCase(Locale.ROOT);
        var why = at + " answered " + refusal.status() + " to " + refusal.request() + ": " + refusal.error() + ". "
                + refusal.left();
        if (refusal.status() == 403) {
            return notTrusted(why);
        }
        if (error.contains("no space left") || error.contains("quota exceeded") || error.contains("out of space")) {
            return Diagnostic.error(
                    Code.LXD_POOL_FULL,
                    why,
                    "Delete what is not needed there, or use a larger pool. These commands show what uses the space:",
                    daemon.client("storage list"),
                    "deepsite gc --list");
        }
        if (error.contains("gpu device") || error.contains("invalid pci address") || error.contains("device \"")) {
            return Diagnostic.error(
                    Code.LXD_DEVICE_REFUSED,
                    why,
                    "Compare with what the host has now; then plan again:",
                    daemon.client("query /1.0/resources"));
        }
        var module = KERNEL_MODULE.matcher(refusal.error());
        if (module.find()) {
            return Diagnostic.error(
                    Code.LXD_MODULE_MISSING,
                    why,
                    "A container cannot load kernel modules itself. Load it on " + daemon.host()
                            + ", then apply again:",
                    "sudo modprobe " + module.group(1));
        }
        if (refusal.status() == 412) {
            return Diagnostic.error(
                    Code.CHANGED_SINCE_PLAN,
                    why + " Another client changed it at the same moment.",
                    "Run the same command again: it reads the current state.");
        }
        return Diagnostic.error(
                Code.PROVIDER_REFUSED,
                why,
                "Fix what " + daemon + " names, then run the same command again: it resumes from here.");
    }

    Failure cancelled(String what) {
        return new Failure(Diagnostic.error(Code.CANCELLED, what, "Run the same command again: it resumes from here."));
    }

    Failure interrupted() {
        return cancelled("A call to " + at + " was interrupted.");
    }

    Failure nameTaken(String kind, String name) {
        return new Failure(nameTakenDiagnostic(kind, name, at));
    }

    static Diagnostic nameTakenDiagnostic(String kind, String name, DaemonAddress at) {
        return Diagnostic.error(
                Code.NAME_TAKEN,
                at + " has " + article(kind) + " named " + name
                        + " that does not carry this site's tags. It was not touched.",
                "Rename the site or the group, or delete the existing one if it is not needed.");
    }

    private static String article(String kind) {
        return ("aeiou".indexOf(kind.charAt(0)) >= 0 ? "an " : "a ") + kind;
    }

    DaemonAddress at() {
        return at;
    }

    /** If LXD closed the connection during an answer, the request may have taken effect. */
    private static String words(IOException cause) {
        return isCutOff(cause)
                ? "it closed the connection during a request; the next run checks whether the request took effect"
                : String.valueOf(deepest(cause).getMessage());
    }

    /** The connection was closed before the end of an answer. */
    static boolean isCutOff(IOException fault) {
        var deepest = deepest(fault);
        return deepest instanceof EOFException
                || String.valueOf(deepest.getMessage()).startsWith("unexpected end of stream");
    }

    /** OkHttp wraps a refused connection in a message with an address that a unix socket does not have. */
    private static IOException deepest(IOException fault) {
        var deepest = fault;
        while (deepest.getCause() instanceof IOException cause) {
            deepest = cause;
        }
        return deepest;
    }
}
