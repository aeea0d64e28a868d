package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Directory;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.SystemNames;
import java.util.stream.Stream;

/** A directory whose users and groups can exist beside those of the site and of the system. */
final class DirectoryChecks {
    private static final String PATH = "directory";

    private final Site site;
    private final Directory directory;
    private final Places places;
    private final Findings findings;

    DirectoryChecks(Site site, Directory directory, Places places, Findings findings) {
        this.site = site;
        this.directory = directory;
        this.places = places;
        this.findings = findings;
    }

    void run() {
        if (findings.isUnsound(PATH)) {
            return;
        }
        servers();
        ids();
        for (int i = 0; i < directory.allow().size(); i++) {
            group(directory.allow().get(i), PATH + ".allow[" + i + "]");
        }
    }

    private void servers() {
        if (directory.uris().stream()
                        .map(uri -> uri.startsWith("ldaps:"))
                        .distinct()
                        .count()
                > 1) {
            findings.fault(
                    Code.DIRECTORY_URIS,
                    places.of(PATH + ".uris"),
                    "sssd secures connections to all servers in the same way: from the start (ldaps), or by StartTLS (ldap).",
                    "Write ldaps:// for all, or ldap:// for all.");
        }
    }

    private void ids() {
        if (directory.minId() > directory.maxId()) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.of(PATH + ".maxId"),
                    "No uid is at least " + directory.minId() + " and at most " + directory.maxId() + ".",
                    "Make maxId at least " + directory.minId() + ".");
            return;
        }
        if (directory.minId() <= Directory.LAST_RESERVED && directory.maxId() >= Directory.FIRST_RESERVED) {
            boolean begins = directory.minId() >= Directory.FIRST_RESERVED;
            findings.fault(
                    Code.DIRECTORY_IDS,
                    places.of(PATH + (begins ? ".minId" : ".maxId")),
                    "The site gives ids from " + Directory.FIRST_RESERVED + " to " + Directory.LAST_RESERVED
                            + " to groups of its own and to programs; a user of the directory would share one.",
                    begins
                            ? "Make minId at least " + (Directory.LAST_RESERVED + 1) + "."
                            : "Make maxId at most " + (Directory.FIRST_RESERVED - 1) + ".");
        }
        site.users().forEach((name, user) -> {
            String path = "users." + name + ".uid";
            if (directory.has(user.uid()) && !findings.isUnsound(path)) {
                findings.fault(
                        Code.DIRECTORY_IDS,
                        places.of(path),
                        "Uids from " + directory.minId() + " to " + directory.maxId()
                                + " are those of the directory (directory.minId, maxId): somebody there may have "
                                + user.uid() + ", and the files of " + name + ".",
                        "Give " + name + " a uid outside of that range, or narrow the range.");
            }
        });
    }

    private void group(String group, String place) {
        boolean ours = Stream.concat(
                        site.users().keySet().stream(),
                        site.users().values().stream().flatMap(user -> user.groups().stream()))
                .map(Name::value)
                .anyMatch(group::equals);
        if (ours || SystemNames.has(group)) {
            findings.fault(
                    Code.DIRECTORY_GROUP,
                    places.of(place),
                    ours
                            ? "A user of this site is, or is in, a group " + group
                                    + " of the machines: they would not see that of the directory."
                            : "The machines have a group " + group
                                    + " of their own, and would not see that of the directory.",
                    "Name another group of the directory" + (ours ? ", or rename that of users in site.yaml." : "."));
        }
    }
}
