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

/** Turns errors of a front-end and of the connection into diagnostics. They hold no secret. */
final class Faults {
    static final String NOTHING_CHANGED = "Nothing was changed.";

    private final URI endpoint;
    private final String origin;

    /** @param origin where the session string comes from, for messages */
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
                "Run the same command again: it resumes from here."));
    }

    /** @param changed one sentence on the state of the back-end */
    Failure of(OneException e, String changed) {
        return new Failure(
                switch (e) {
                    case OneException.Refused refused -> refused(refused, changed);
                    case OneException.NotUnderstood odd -> notUnderstood(odd, changed);
                    case OneException.Garbled garbled ->
                        Diagnostic.error(
                                Code.OPENNEBULA_ANSWER_UNUSABLE,
                                "deepsite cannot use the answer of " + endpoint + " to " + garbled.method() + ": "
                                        + sentence(garbled.said()) + " " + changed,
                                "Check the endpoint: it is OpenNebula's XML-RPC, such as https://one.example:2633/RPC2,"
                                        + " not its web pages, and no proxy may rewrite its answers.");
                    case OneException.Unreachable gone -> unreachable(gone, changed);
                },
                e);
    }

    private Diagnostic refused(OneException.Refused e, String changed) {
        var why = front() + " refused " + e.method() + " (0x" + String.format("%04x", e.code()) + "): "
                + sentence(e.said()) + " " + changed;
        var lower = e.said().toLowerCase(Locale.ROOT);
        if (lower.contains("quota") || lower.contains("limit of")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_QUOTA,
                    why,
                    "The quota was used up after the plan was made. Delete what is not needed, or ask the administrator for"
                            + " more; then run the same command again.");
        }
        if (lower.contains("not enough space")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_DATASTORE_FULL,
                    why,
                    "Delete images that are not needed, or name another datastore in provider.opennebula.datastore. A"
                            + " datastore that was not measured yet counts as full. This command shows the free space:",
                    "onedatastore list");
        }
        if (lower.contains("no free lease")
                || lower.contains("cannot get ip")
                || lower.contains("cannot get a lease")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_NO_ADDRESS,
                    why,
                    "Another client took an address of the plan: plan again. If no address is free, add a range to"
                            + " the virtual network.");
        }
        return switch (e.kind()) {
            case AUTHENTICATION ->
                Diagnostic.error(
                        Code.OPENNEBULA_LOGIN_REFUSED,
                        why + " The session string comes from " + origin + ".",
                        "Check it there: it is user:password, or user:token, and tokens expire.",
                        "oneuser show");
            case AUTHORIZATION -> forbidden(e.said(), why);
            default ->
                Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        why,
                        "Fix what OpenNebula names, then run the same command again: it resumes from here.");
        };
    }

    private static Diagnostic forbidden(String said, String why) {
        if (said.contains("VNET Template includes a restricted attribute")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_FORBIDDEN,
                    why,
                    "The cloud's oned.conf reserves this attribute for administrators (VNET_RESTRICTED_ATTR; from 7.4 on"
                            + " OpenNebula compares new networks with it). Use a network of the cloud in"
                            + " provider.opennebula.network.existing, or ask the administrator to remove the attribute there."
                            + " The networks:",
                    "onevnet list");
        }
        if (said.contains("restricted attribute")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_FORBIDDEN,
                    why,
                    "The cloud's oned.conf reserves this attribute for administrators. For GPUs and other devices, name a VM"
                            + " template of the cloud that has them in provider.opennebula.groups.GROUP.template, instead of"
                            + " gpus.",
                    "onetemplate list");
        }
        if (said.contains("CREATE NET") || said.contains("ADMIN CLUSTER")) {
            return Diagnostic.error(
                    Code.OPENNEBULA_FORBIDDEN,
                    why,
                    "Use a network of the cloud (provider.opennebula.network.existing), or ask the administrator for the right"
                            + " to create one:",
                    "oneacl create '#USER NET/* CREATE *'",
                    "oneacl create '#USER CLUSTER/#0 ADMIN #0'");
        }
        return Diagnostic.error(
                Code.OPENNEBULA_FORBIDDEN,
                why,
                "The user needs rights for this. Ask the administrator for them (oneacl, or chmod of the named object).");
    }

    private Diagnostic notUnderstood(OneException.NotUnderstood e, String changed) {
        return Diagnostic.error(
                Code.OPENNEBULA_CALL_REFUSED,
                front() + " does not accept the call " + e.method() + " (XML-RPC fault " + e.fault() + "): "
                        + sentence(e.said()) + " " + changed,
                e.fault() == -506
                        ? "Its version lacks this call, or another server answers there. deepsite supports versions 5.6 to 7."
                        : "deepsite sends arguments that this version does not accept. This is a bug in deepsite: please"
                                + " report it with the version that deepsite doctor shows.");
    }

    private Diagnostic unreachable(OneException e, String changed) {
        var distrust = Causes.of(e).filter(Faults::isDistrust).findFirst();
        if (distrust.isPresent()) {
            return Diagnostic.error(
                    Code.OPENNEBULA_NOT_TRUSTED,
                    "The server at " + endpoint + " shows a certificate that cannot be trusted: "
                            + sentence(deepest(distrust.get())),
                    "If a private authority signed it, name the authority's certificate (PEM) as authority in"
                            + " provider.opennebula. The certificate must match the name in the URL. deepsite always checks"
                            + " it.");
        }
        return Diagnostic.error(
                Code.PROVIDER_UNREACHABLE,
                front() + " does not answer to " + e.method() + ": " + sentence(deepest(e)) + " " + changed,
                "Check the address, that oned runs there, and the network to it. The session string comes from "
                        + origin + ".");
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

    /** Ends the text with exactly one full stop. */
    static String sentence(String text) {
        return text.strip().replaceAll("[.\\s]+$", "") + ".";
    }
}
