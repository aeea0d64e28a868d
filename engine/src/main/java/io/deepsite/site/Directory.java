package io.deepsite.site;

import java.util.List;
import java.util.Optional;

/** An LDAP directory whose people are known on every machine, by sssd. */
public record Directory(
        @Key(
                value =
                        "Its servers, in order of preference. ldaps, or ldap with StartTLS before anything else is said; all of one kind.",
                example = "[\"ldaps://ldap.example.org\"]",
                pattern = "ldaps?://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?/?",
                required = true,
                impact = ChangeImpact.RESTART)
        List<String> uris,

        @Key(
                value = "Where searches begin (ldap_search_base).",
                example = "dc=example,dc=org",
                pattern = DN,
                impact = ChangeImpact.RESTART)
        String base,

        @Key(
                value = "Where users are, if only below a part of the base (ldap_user_search_base).",
                example = "ou=people,dc=example,dc=org",
                pattern = DN,
                impact = ChangeImpact.RESTART)
        Optional<String> userBase,

        @Key(
                value = "Where groups are, if only below a part of the base (ldap_group_search_base).",
                example = "ou=groups,dc=example,dc=org",
                pattern = DN,
                impact = ChangeImpact.RESTART)
        Optional<String> groupBase,

        @Key(
                value = "Whether groups list login names (rfc2307), or names of entries (rfc2307bis).",
                defaultValue = "rfc2307",
                choices = {"rfc2307", "rfc2307bis"},
                impact = ChangeImpact.RESTART)
        String schema,

        @Key(
                value =
                        "Certificate of its authority, a file on this machine (a full path), if it is not a public one.",
                example = "/etc/ssl/lab-ca.crt",
                pattern = "/.+",
                impact = ChangeImpact.RESTART)
        Optional<String> caFile,

        @Key(
                value = "The entry by which machines read it. Its password is the site's secret directory_bind_password"
                        + " (deepsite secrets set). Without it they read as nobody.",
                example = "cn=reader,dc=example,dc=org",
                pattern = DN,
                impact = ChangeImpact.RESTART)
        Optional<String> bind,

        @Key(
                value = "Groups of the directory whose members may log in; all others are known, and refused.",
                example = "[physics]",
                pattern = GROUP,
                required = true,
                impact = ChangeImpact.RESTART)
        List<String> allow,

        @Key(
                value = "Smallest uid and gid that counts; a user or group with a smaller one is not known.",
                example = "10000",
                min = User.FIRST_UID,
                max = LAST_ID,
                impact = ChangeImpact.RESTART)
        int minId,

        @Key(
                value =
                        "Largest uid and gid that counts. The site gives those from 50000 to 65535 itself, and its users'"
                                + " are outside of the range.",
                example = "49999",
                min = User.FIRST_UID,
                max = LAST_ID,
                impact = ChangeImpact.RESTART)
        int maxId,

        @Key(
                value = "Whether users log in with keys: those that the directory has (sshPublicKey), and their own"
                        + " authorized_keys.",
                defaultValue = "true",
                example = "false",
                impact = ChangeImpact.FILE)
        boolean ownKeys) {

    /** A name of an entry, without what would end a line of sssd.conf, or separate search bases there. */
    static final String DN = "[A-Za-z][A-Za-z0-9.-]*=[^\\p{Cntrl}?]{1,500}";

    public static final String GROUP = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}";

    /** Beyond, programs read a negative number. */
    static final int LAST_ID = 2_147_483_646;

    /** Ids that nobody else may give: of groups and acceptance jobs of a site, of programs, of systemd, of nobody. */
    public static final int FIRST_RESERVED = User.FIRST_GROUP_GID;

    public static final int LAST_RESERVED = 65_535;

    private static final String PLAIN = "ldap:";

    public Directory {
        uris = List.copyOf(uris);
        allow = List.copyOf(allow);
    }

    /** Whether the connection begins in plain text and is then secured. */
    public boolean startsTls() {
        return uris.getFirst().startsWith(PLAIN);
    }

    public boolean has(int id) {
        return id >= minId && id <= maxId;
    }
}
