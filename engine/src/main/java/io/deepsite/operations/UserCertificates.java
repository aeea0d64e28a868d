package io.deepsite.operations;

import io.deepsite.cluster.SiteStages;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.FormerUsers;
import io.deepsite.remote.UserCertificate;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.site.SshCertificates;
import io.deepsite.site.SshPublicKey;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.SiteState;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Short-lived certificates with which users log in to the hosts of an applied site. Only reads what is recorded. */
public final class UserCertificates {
    /** For clocks of hosts that are behind this machine's. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private final SiteContext context;
    private final SecureRandom random = new SecureRandom();

    public UserCertificates(SiteContext context) {
        this.context = context;
    }

    /**
     * A certificate that was signed.
     *
     * @param text the line of a {@code -cert.pub} file
     * @param serial an unsigned number in decimal digits
     * @param endsWithLease whether the lease, and not the time asked for, sets the end
     * @param hosts those that accept it, by name, as recorded
     */
    public record Signed(
            String text,
            List<String> principals,
            String id,
            String serial,
            Instant from,
            Instant until,
            boolean endsWithLease,
            SortedMap<String, RecordedHost> hosts) {
        public Signed {
            principals = List.copyOf(principals);
            hosts = Collections.unmodifiableSortedMap(new TreeMap<>(hosts));
        }
    }

    /**
     * Signs a key of a user, for the account of that user and no other.
     *
     * @param publicKey the line of a {@code .pub} file
     * @param asked how long it is to be valid; as long as possible by default
     * @throws Failure CERTIFICATES_OFF, NO_SUCH_USER, NOT_SSH_KEY, CERTIFICATE_TOO_LONG, CERTIFICATE_UNKNOWN_THERE,
     *     LEASE_OVER
     */
    public Signed sign(Name user, String publicKey, Optional<Span> asked) {
        var certificates = certificates();
        requireUser(user);
        var key = key(publicKey);
        var validity = validity(certificates, asked);
        var state = context.state();
        var hosts = hosts(state, user);
        var now = context.runtime().clock().instant().truncatedTo(ChronoUnit.SECONDS);
        var wanted = now.plus(validity.duration());
        var until = ends(state, wanted, now);
        var certificate = new UserCertificate(
                key,
                "deepsite:" + context.site().name() + ":" + user,
                user.value(),
                random.nextLong(),
                now.minus(CLOCK_SKEW),
                until);
        return new Signed(
                certificate.signedBy(authority(state), random),
                List.of(certificate.principal()),
                certificate.id(),
                Long.toUnsignedString(certificate.serial()),
                certificate.from(),
                until,
                until.isBefore(wanted),
                hosts);
    }

    private SshCertificates certificates() {
        return context.site()
                .ssh()
                .certificates()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.CERTIFICATES_OFF,
                        "Its site.yaml has no ssh.certificates, so hosts trust no authority.",
                        "Add \"ssh: {certificates: {validity: 8h}}\", then apply.")));
    }

    private void requireUser(Name user) {
        var users = context.site().users();
        if (!users.containsKey(user)) {
            throw new Failure(Diagnostic.error(
                    Code.NO_SUCH_USER,
                    "\"" + user + "\" is none of the users of " + context.site().name() + "; these are: "
                            + users.keySet().stream().map(Name::value).collect(Collectors.joining(", ")) + ".",
                    "Correct the name, or add the user to site.yaml and apply. Certificates open accounts of the site's"
                            + " users only."));
        }
        if (Objects.requireNonNull(users.get(user)).locked()) {
            throw new Failure(Diagnostic.error(
                    Code.USER_LOCKED,
                    user + " is a user of " + context.site().name() + " who may not log in: locked is true there.",
                    "If that is over, remove it, or import the users again, and apply."));
        }
    }

    private static SshPublicKey key(String text) {
        try {
            return SshPublicKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NOT_SSH_KEY,
                            String.valueOf(e.getMessage()),
                            "Give the one line of the .pub file, such as ~/.ssh/id_ed25519.pub."),
                    e);
        }
    }

    private static Span validity(SshCertificates certificates, Optional<Span> asked) {
        var longest = certificates.validity();
        if (asked.filter(span -> span.compareTo(longest) > 0).isPresent()) {
            throw new Failure(Diagnostic.error(
                    Code.CERTIFICATE_TOO_LONG,
                    asked.get() + " was asked for; ssh.certificates.validity of site.yaml allows " + longest
                            + " at the longest.",
                    "Ask for less, and for another certificate when it has ended."));
        }
        return asked.orElse(longest);
    }

    private static Instant ends(SiteState state, Instant wanted, Instant now) {
        var lease = state.lease();
        if (lease == null) {
            return wanted;
        }
        var ends = lease.ends().truncatedTo(ChronoUnit.SECONDS);
        if (!ends.isAfter(now)) {
            throw new Failure(Diagnostic.error(
                    Code.LEASE_OVER,
                    "It ended at " + lease.ends() + "; a certificate would be valid no longer.",
                    "Lengthen the lease:",
                    "deepsite lease extend 2h"));
        }
        return ends.isBefore(wanted) ? ends : wanted;
    }

    private static SortedMap<String, RecordedHost> hosts(SiteState state, Name user) {
        var hosts = accepting(state, user);
        if (hosts.isEmpty()) {
            throw unknownThere("No applied host accepts certificates of " + user + " yet.");
        }
        return hosts;
    }

    /** Hosts where the role trusts the authority, and the user has an account that is not deepsite's own login. */
    static SortedMap<String, RecordedHost> accepting(SiteState state, Name user) {
        var accounts = FormerUsers.accounts(state);
        var hosts = new TreeMap<String, RecordedHost>();
        state.hosts().forEach((name, host) -> {
            var known = accounts.get(name);
            boolean hasAccount = known != null
                    && known.containsKey(user.value())
                    && !host.formerUsers().containsKey(user.value());
            if (hasAccount
                    && host.roles().containsKey(SiteStages.CERTIFICATES_ROLE)
                    && !host.user().equals(user.value())) {
                hosts.put(name, host);
            }
        });
        return hosts;
    }

    /** The one whose public half is on the hosts. */
    private OpenSshKey authority(SiteState state) {
        var secret = context.secrets().find(SiteStages.AUTHORITY);
        var applied = state.secrets().get(SiteStages.AUTHORITY);
        if (secret.isEmpty()
                || applied == null
                || !applied.equals(context.secrets().fingerprints().get(SiteStages.AUTHORITY))) {
            throw unknownThere(
                    "The authority's key was changed since the last apply, and hosts may trust the one before.");
        }
        return OpenSshKey.of(secret.get());
    }

    private static Failure unknownThere(String why) {
        return new Failure(Diagnostic.error(
                Code.CERTIFICATE_UNKNOWN_THERE, why, "Apply the site, then ask again:", "deepsite apply"));
    }
}
