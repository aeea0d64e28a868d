package io.deepsite.site;

import java.util.Set;

/** Accounts and groups that hosts have of their own: of Debian's base-passwd, and of the software that deepsite installs. */
public final class SystemNames {
    private static final Set<String> ACCOUNTS = Set.of(
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
            "incus",
            "incus-admin",
            "deepsite");

    /** Of which only an administrator may make somebody a member: some are as good as root. */
    private static final Set<String> GROUPS = Set.of(
            "wheel",
            "admin",
            "staff",
            "kvm",
            "libvirt",
            "incus",
            "incus-admin",
            "tty",
            "video",
            "render",
            "input",
            "audio",
            "cdrom",
            "floppy",
            "tape",
            "dialout",
            "fax",
            "voice",
            "dip",
            "src",
            "operator",
            "utmp",
            "plugdev",
            "netdev",
            "crontab",
            "ssl-cert",
            "sgx",
            "kmem",
            "sasl",
            "slurmrestd",
            "deepsite-verify");

    private SystemNames() {}

    /** Whether no user can be called so. */
    public static boolean isAccount(String name) {
        return ACCOUNTS.contains(name) || name.startsWith("systemd-");
    }

    /** The same, of users and groups that another system names. */
    public static boolean has(String name) {
        return isAccount(name) || GROUPS.contains(name);
    }
}
