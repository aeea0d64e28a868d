package io.deepsite.opennebula;

import io.deepsite.diag.Causes;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.OneException;
import java.net.URI;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** Turns what a front-end and the way to it say into diagnostics. No secret gets here. */
final class Faults {
    static final String NOTHING_CHANGED = "Nothing was changed.";

    private final URI endpoint;
    private final String origin;

    /** @param origin where the session string stands, for messages */
    Faults(URI endpoint, String origin) {
        this.endpoint = endpoint;
        this.origin = origin;
    }

    /** How messages name the front-end. */
    String front() {
        return "OpenNebula at " + endpoint;
    }

    Failure interrupted() {
        return new Failure(Diagnostic.error(
                Code.CANCELLED,
                "A call to OpenNebula was interrupted.",
                "Run the same command again: it goes on from here."));
    }

    /** @param changed one sentence on what is there now */
    Failure of(OneException e, String changed) {
        return new Failure(
                switch (e) {
                    case OneException.Refused refused -> refused(refused, changed);
                    case OneException.NotUnderstood odd -> notUnderstood(odd, changed);
                    case OneException.Garbled garbled ->
                        Diagnostic.error(
                                Code.OPENNEBULA_ANSWER_UNUSABLE,
                                "What " + endpoint + " answered to " + garbled.method() + " is of no use: "
                                        + sentence(garbled.said()) + " " + changed,
                                "Check the endpoint: it is OpenNebula's XML-RPC, such as https://one.example:2633/RPC2,"
                                        + " not its web pages, and nothing between may rewrite what it says.");
                    case OneException.Unreachable gone -> unreachable(gone, changed);
                },
                e);
    }

    private Diagnostic refused(OneException.Refused e, String changed) {
        var told = front() + " refused " + e.method() + " (0x" + String.format("%04x", e.code()) + "): "
                + sentence(e.said()) + " " + changed;
        var lower = e.said().toLowerCase(Locale.ROOT);
        if (lower.contains("quota") || lower.contains("limit of")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_QUOTA,
                    told,
                    "Somebody else took what the plan counted on. Delete what is not needed, or ask the administrator for"
                            + " more; then run the same command again.");
        }
        if (lower.contains("not enough space")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_DATASTORE_FULL,
                    told,
                    "Delete images that are not needed, or name another datastore in provider.opennebula.datastore. A"
                            + " datastore that was not measured yet counts as full. This shows what is free:",
                    "onedatastore list");
        }
        if (lower.contains("no free lease")
                || lower.contains("cannot get ip")
                || lower.contains("cannot get a lease")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_NO_ADDRESS,
                    told,
                    "Somebody else took an address that the plan counted on: plan again. If none is left, add a range to"
                            + " the virtual network.");
        }
        return switch (e.kind()) {
            case AUTHENTICATION ->
                Diagnostic.error(
                        Code.OPENNEBULA_LOGIN_REFUSED,
                        told + " The session string is that of " + origin + ".",
                        "Check it there: it is user:password, or user:token, and tokens have an end.",
                        "oneuser show");
            case AUTHORIZATION ->
                Diagnostic.error(
                        Code.OPENNEBULA_FORBIDDEN,
                        told,
                        "The user needs rights for this; the administrator gives them (oneacl, chmod of what is named).");
            default ->
                Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        told,
                        "Mend what OpenNebula names, then run the same command again: it goes on from here.");
        };
    }

    private Diagnostic notUnderstood(OneException.NotUnderstood e, String changed) {
        return Diagnostic.error(
                Code.OPENNEBULA_CALL_REFUSED,
                front() + " does not take the call " + e.method() + " (XML-RPC fault " + e.fault() + "): "
                        + sentence(e.said()) + " " + changed,
                e.fault() == -506
                        ? "Its version lacks this call, or something else answers there. deepsite knows 5.6 to 7."
                        : "deepsite sends other arguments than this version takes. This is a bug in deepsite: please"
                                + " report it with the version that deepsite doctor shows.");
    }

    private Diagnostic unreachable(OneException e, String changed) {
        var distrust = Causes.of(e).filter(Faults::isDistrust).findFirst();
        if (distrust.isPresent()) {
            return Diagnostic.error(
                    Code.OPENNEBULA_NOT_TRUSTED,
                    "The server at " + endpoint + " shows a certificate that cannot be trusted: "
                            + sentence(deepest(distrust.get())),
                    "If it was signed by an authority of its own, name that one's certificate (PEM) as authority in"
                            + " provider.opennebula. It must be for the name in the URL. deepsite never connects without"
                            + " looking.");
        }
        return Diagnostic.error(
                Code.PROVIDER_UNREACHABLE,
                front() + " does not answer to " + e.method() + ": " + sentence(deepest(e)) + " " + changed,
                "Check the address, that oned runs there, and the way to it. The session string is that of " + origin
                        + ".");
    }

    private static boolean isDistrust(Throwable fault) {
        return fault instanceof CertificateException
                || (fault instanceof SSLException && deepest(fault).contains("certif"));
    }

    private static String deepest(Throwable fault) {
        var deepest = Causes.deepest(fault);
        var message = deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
        return message.lines().findFirst().orElse(message);
    }

    /** Ends with one full stop. */
    static String sentence(String text) {
        return text.strip().replaceAll("[.\\s]+$", "") + ".";
    }
}
