package io.deepsite.openstack;

import io.deepsite.diag.Causes;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Nearest;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.HttpUrl;

/** Turns errors of a cloud and of the connection to it into diagnostics. No secret gets here. */
final class Faults {
    static final String NOTHING_CHANGED = "Nothing was changed.";
    private static final int NAMES_SHOWN = 12;

    private final String origin;

    /** @param origin where the credentials come from, as in {@link Credentials#origin()} */
    Faults(String origin) {
        this.origin = origin;
    }

    Failure unreachable(IOException cause, HttpUrl url) {
        var where = Answer.plain(url);
        var distrust = Causes.of(cause).filter(Faults::isDistrust).findFirst();
        if (distrust.isPresent()) {
            return new Failure(
                    Diagnostic.error(
                            Code.OPENSTACK_NOT_TRUSTED,
                            "The server at " + where + " has a certificate that is not trusted: "
                                    + deepest(distrust.get()) + ".",
                            "If the cloud has its own certificate authority, set cacert in clouds.yaml, or OS_CACERT, to its"
                                    + " certificate (PEM). The server's certificate must be for the host name in the URL:"
                                    + " deepsite always checks it."),
                    cause);
        }
        return new Failure(
                Diagnostic.error(
                        Code.PROVIDER_UNREACHABLE,
                        "OpenStack at " + where + " does not answer: " + deepest(cause) + ".",
                        "Check the address and the network path to it. The login is that of " + origin + "."),
                cause);
    }

    /** Sends, and turns a fault of the connection into a diagnostic. */
    Answer guarding(HttpUrl url, Cloud.Exchange exchange) {
        try {
            return exchange.send();
        } catch (IOException e) {
            throw unreachable(e, url);
        }
    }

    Failure interrupted() {
        return new Failure(Diagnostic.error(
                Code.CANCELLED,
                "A call to OpenStack was interrupted.",
                "Run the same command again: it goes on from here."));
    }

    Failure unusable(String why, String fix, String... commands) {
        return new Failure(Diagnostic.error(Code.OPENSTACK_CREDENTIALS_UNUSABLE, why, fix, commands));
    }

    Failure noProject(String who) {
        return unusable(
                "The login of " + origin + " as " + who + " names no project, and machines belong to one.",
                "Add project_name (and project_domain_name) to it, or OS_PROJECT_NAME.");
    }

    Failure noVersion3(HttpUrl root, List<String> versions, int status) {
        var found = versions.isEmpty()
                ? "It answered " + status + " and names no version."
                : "It offers " + String.join(", ", versions) + ".";
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_VERSION,
                "There is no Keystone version 3 at " + Answer.plain(root) + ". " + found,
                "Check auth_url in " + origin
                        + ": it must be the URL of the identity service, such as https://cloud.example:5000/v3."
                        + " Version 2 is not supported."));
    }

    Failure novaTooOld(String url, Versions versions, Microversion needed) {
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_VERSION,
                "Nova at " + url + " supports the microversions " + versions.least() + " to " + versions.most()
                        + "; deepsite needs " + needed + ".",
                "Use a cloud of OpenStack Stein (2019) or later."));
    }

    Failure loginRefused(Refusal refusal, Credentials.Method method) {
        var fix = switch (method) {
            case Credentials.Password _ -> "Check name, domain and password there.";
            case Credentials.ApplicationCredential _ ->
                "Check id and secret there; the credential may have expired, or be deleted.";
            case Credentials.OidcAccessToken _ ->
                "The access token may have expired: get a new one. identity_provider and protocol are the names in Keystone.";
            case Credentials.Token _ ->
                "The token may have expired: get a new one, or log in by an application credential.";
        };
        return new Failure(
                Diagnostic.error(
                        Code.OPENSTACK_LOGIN_REFUSED,
                        refusal.told() + " The login is that of " + origin + ".",
                        fix + " With the same credentials this must work, too:",
                        "openstack token issue"),
                refusal);
    }

    /** @param projects those in which the user has a role */
    Failure noRole(Refusal refusal, String project, List<String> projects) {
        var has = projects.isEmpty()
                ? "The user has a role in no project."
                : "Projects with a role: " + some(projects) + ".";
        return new Failure(
                Diagnostic.error(
                        Code.OPENSTACK_NO_ROLE,
                        "The login of " + origin + " is correct, but its user has no role in the project " + project
                                + ". " + has
                                + (refusal.requestId().isEmpty()
                                        ? ""
                                        : " The request id is " + refusal.requestId() + "."),
                        didYouMean(
                                project, projects, "Name one of them, or ask the cloud's administrator for a role.")),
                refusal);
    }

    Failure unknownRegion(String region, Collection<String> regions) {
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_REGION_UNKNOWN,
                "The cloud has no region " + region + ", which " + origin + " or site.yaml names; it has "
                        + some(regions) + ".",
                didYouMean(region, regions, "Name one of them as region in provider.openstack.")));
    }

    Failure regionNeeded(Collection<String> regions) {
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_REGION_UNKNOWN,
                "The cloud has several regions, and nothing names one: " + some(regions) + ".",
                "Name one as region in provider.openstack, or as region_name in " + origin + "."));
    }

    /** @param facings the service's interfaces in that region; empty if the region does not have it */
    Failure serviceMissing(
            Service service, String region, String facing, Collection<String> facings, Collection<String> types) {
        var why = facings.isEmpty()
                ? "The region " + region + " has no service " + service.words() + "; it has " + some(types) + "."
                : "The service " + service.words() + " of the region " + region + " has no " + facing
                        + " endpoint; it has " + some(facings) + ".";
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_SERVICE_MISSING,
                why,
                facings.isEmpty()
                        ? "Use a cloud or a region that has it, or leave out what needs it."
                        : "Write \"interface: " + facings.iterator().next() + "\" in provider.openstack."));
    }

    /** @param changed one sentence that says what is in the cloud now */
    Failure refused(Refusal refusal, String changed) {
        return new Failure(diagnostic(refusal, refusal.told() + " " + changed), refusal);
    }

    private static Diagnostic diagnostic(Refusal refusal, String why) {
        if (isQuota(refusal)) {
            return Diagnostic.error(
                    Code.OPENSTACK_QUOTA,
                    why,
                    "Something else has used the quota since the plan. Delete what is not needed, or ask for more; then run the"
                            + " same command again. This shows limits and use:",
                    "openstack quota show --usage");
        }
        if (refusal.status() == 403) {
            return Diagnostic.error(
                    Code.OPENSTACK_FORBIDDEN,
                    why,
                    "The user needs another role in the project; ask the cloud's administrator.");
        }
        return Diagnostic.error(
                Code.PROVIDER_REFUSED,
                why,
                "Fix what OpenStack reports, then run the same command again: it goes on from here.");
    }

    /** Nova answers 403, Neutron 409, Cinder 413. */
    private static boolean isQuota(Refusal refusal) {
        return Set.of(403, 409, 413).contains(refusal.status())
                && refusal.error().toLowerCase(Locale.ROOT).contains("quota");
    }

    private static String didYouMean(String written, Collection<String> known, String otherwise) {
        return Nearest.to(written, known)
                .map(near -> "Did you mean \"" + near + "\"?")
                .orElse(otherwise);
    }

    static String some(Collection<String> names) {
        if (names.isEmpty()) {
            return "none";
        }
        var shown = names.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
        return names.size() > NAMES_SHOWN ? shown + " and " + (names.size() - NAMES_SHOWN) + " more" : shown;
    }

    private static boolean isDistrust(Throwable fault) {
        return fault instanceof CertificateException
                || fault instanceof SSLPeerUnverifiedException
                || (fault instanceof SSLException && deepest(fault).contains("certif"));
    }

    private static String deepest(Throwable fault) {
        var message = String.valueOf(Causes.deepest(fault).getMessage());
        return message.lines().findFirst().orElse(message).replaceAll("\\.$", "");
    }
}
