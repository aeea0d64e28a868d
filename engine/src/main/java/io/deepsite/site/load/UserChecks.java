package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.SshCertificates;
import io.deepsite.site.SshPublicKey;
import io.deepsite.site.SystemNames;
import io.deepsite.site.User;
import java.util.HashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Accounts that can exist side by side, on every machine, beside those of the system. */
final class UserChecks {
    /** Linux' own limit (useradd refuses more). */
    private static final int LONGEST_LOGIN = 32;

    /** The first that a message proposes. */
    private static final int EXAMPLE_UID = 2001;

    private final Site site;
    private final Places places;
    private final Findings findings;

    UserChecks(Site site, Places places, Findings findings) {
        this.site = site;
        this.places = places;
        this.findings = findings;
    }

    void run() {
        var byUid = new HashMap<Integer, Name>();
        site.users().forEach((name, user) -> {
            String path = "users." + name;
            name(name, path);
            if (!findings.isUnsound(path + ".uid")) {
                var other = byUid.putIfAbsent(user.uid(), name);
                if (other != null) {
                    findings.fault(
                            Code.DUPLICATE_UID,
                            places.of(path + ".uid"),
                            name + " and " + other + " both have the uid " + user.uid()
                                    + ", so each would own the other's files.",
                            "Give one of them another, such as " + freeUid() + ".");
                }
            }
            groups(name, user, path);
            keys(user, path);
        });
        site.ssh().certificates().ifPresent(this::certificates);
    }

    private void certificates(SshCertificates certificates) {
        String path = "ssh.certificates";
        if (certificates.validity().compareTo(SshCertificates.LONGEST) > 0 && !findings.isUnsound(path + ".validity")) {
            findings.fault(
                    Code.CERTIFICATE_TOO_LONG,
                    places.of(path + ".validity"),
                    "A certificate is valid for " + SshCertificates.LONGEST
                            + " at most: it cannot be taken back, only end.",
                    "Make it shorter, such as 8h; users get a new one whenever they need it.");
        }
        if (site.users().isEmpty() && !findings.isUnsound("users")) {
            findings.noEffect(places, path, "The site has no users who could get a certificate.");
        }
        site.users().forEach((name, user) -> {
            if (name.value().equals(site.ssh().user()) && !findings.isUnsound("ssh.user")) {
                findings.fault(
                        Code.RESERVED_NAME,
                        places.ofKey("users." + name),
                        "deepsite itself logs in as " + name
                                + " (ssh.user) and becomes root there; no certificate opens that account.",
                        "Give the user another login name, or deepsite an account of its own.");
            }
            // Who wrote a list of users elsewhere need not know what counts here.
            if (!certificates.ownKeys() && !user.keys().isEmpty() && !places.isIncluded("users." + name)) {
                findings.noEffect(
                        places, "users." + name + ".keys", "ssh.certificates.ownKeys is false: no key opens a login.");
            }
        });
    }

    private int freeUid() {
        var taken = site.users().values().stream().map(User::uid).collect(Collectors.toSet());
        return IntStream.rangeClosed(EXAMPLE_UID, User.LAST_UID)
                .filter(uid -> !taken.contains(uid))
                .findFirst()
                .orElse(User.FIRST_UID);
    }

    private void name(Name name, String path) {
        if (SystemNames.isAccount(name.value())) {
            findings.fault(
                    Code.RESERVED_NAME,
                    places.ofKey(path),
                    "The machines have an account or group " + name + " of their own.",
                    "Choose another login name.");
        }
        if (name.value().length() > LONGEST_LOGIN) {
            findings.fault(
                    Code.NAME_TOO_LONG,
                    places.ofKey(path),
                    "A login name has at most " + LONGEST_LOGIN + " characters; this one has "
                            + name.value().length() + ".",
                    "Shorten it.");
        }
    }

    private void groups(Name name, User user, String path) {
        for (int i = 0; i < user.groups().size(); i++) {
            var group = user.groups().get(i);
            if (site.users().containsKey(group) && !findings.isUnsound(path + ".groups")) {
                findings.fault(
                        Code.USER_AND_GROUP,
                        places.of(path + ".groups[" + i + "]"),
                        "Each user has a group of the same name, and that of " + group + " is "
                                + (group.equals(name) ? "there already." : "not for others."),
                        group.equals(name) ? "Remove it from the list." : "Name the shared group differently.");
            }
        }
    }

    private void keys(User user, String path) {
        for (int i = 0; i < user.keys().size(); i++) {
            String fault = SshPublicKey.fault(user.keys().get(i));
            if (!fault.isEmpty() && !findings.isUnsound(path + ".keys")) {
                findings.fault(
                        Code.NOT_SSH_KEY,
                        places.of(path + ".keys[" + i + "]"),
                        fault,
                        "Copy the one line of the .pub file, such as ~/.ssh/id_ed25519.pub.");
            }
        }
    }
}
