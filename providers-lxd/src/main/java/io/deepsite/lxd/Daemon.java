package io.deepsite.lxd;

import java.util.Optional;

/** LXD, and Incus, which began as a copy of it: one API, and all that differs between them for deepsite. */
enum Daemon {
    LXD("lxd", "LXD", "lxc", "lxd", "X-LXD-", "lxc config trust add --name deepsite", true),
    INCUS("incus", "Incus", "incus", "incus-admin", "X-Incus-", "incus config trust add deepsite", false);

    private final String key;
    private final String title;
    private final String client;
    private final String group;
    private final String headers;
    private final String trust;
    private final boolean takesPassword;

    Daemon(String key, String title, String client, String group, String headers, String trust, boolean takesPassword) {
        this.key = key;
        this.title = title;
        this.client = client;
        this.group = group;
        this.headers = headers;
        this.trust = trust;
        this.takesPassword = takesPassword;
    }

    /** The provider's name in site.yaml; also that of the daemon's unit of systemd, and of its folder in /var/lib. */
    String key() {
        return key;
    }

    /** The path of a key of its settings in site.yaml. */
    String setting(String name) {
        return "provider." + key + "." + name;
    }

    /** How messages name its host. */
    String host() {
        return "the " + title + " host";
    }

    /** A command line of its own client. */
    String client(String arguments) {
        return client + " " + arguments;
    }

    /** Where its own client keeps certificates. */
    String clientFolder() {
        return "~/.config/" + client;
    }

    /** The group of users that may open its socket. */
    String group() {
        return group;
    }

    /** A header of the requests that write a file into an instance. */
    String header(String name) {
        return headers + name;
    }

    /** The command that prints a token for a new client. */
    String trust() {
        return trust;
    }

    /** The file that a token is saved in, in examples. */
    String tokenFile() {
        return key + ".token";
    }

    /** Whether it may trust a new client for a password; all versions take a token. */
    boolean takesPassword() {
        return takesPassword;
    }

    /** Whether it takes the token in a field of its own, without saying so among its API extensions. */
    boolean hasTokenField() {
        return !takesPassword;
    }

    /** Where a package other than the distribution's has the socket. */
    Optional<String> otherSocket() {
        return this == LXD
                ? Optional.of("the snap's is unix:///var/snap/lxd/common/lxd/unix.socket")
                : Optional.empty();
    }

    @Override
    public String toString() {
        return title;
    }
}
