package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.User;
import java.util.HashMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Accounts that can exist side by side, on every machine, beside those of the system. */
final class UserChecks {
    /** Linux' own limit (useradd refuses more). */
    private static final int LONGEST_LOGIN = 32;

    /** The first that a message proposes. */
    private static final int EXAMPLE_UID = 2001;

    /** Accounts of Debian's base-passwd, and of the software that deepsite installs. */
    private static final Set<String> RESERVED = Set.of(
            "root",
            "daemon",
            "bin",
            "sys",
            "sync",
            "games",
            "man",
            "lp",
            "mail",
            "news",
            "uucp",
            "proxy",
            "www-data",
            "backup",
            "list",
            "irc",
            "gnats",
            "nobody",
            "nogroup",
            "messagebus",
            "sshd",
            "munge",
            "oneadmin",
            "slurm",
            "mysql",
            "adm",
            "sudo",
            "shadow",
            "disk",
            "users",
            "docker",
            "lxd",
            "deepsite");

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
    }

    private int freeUid() {
        var taken = site.users().values().stream().map(User::uid).collect(Collectors.toSet());
        return IntStream.rangeClosed(EXAMPLE_UID, User.LAST_UID)
                .filter(uid -> !taken.contains(uid))
                .findFirst()
                .orElse(User.FIRST_UID);
    }

    private void name(Name name, String path) {
        if (RESERVED.contains(name.value()) || name.value().startsWith("systemd-")) {
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
            String fault = PublicKey.fault(user.keys().get(i));
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
