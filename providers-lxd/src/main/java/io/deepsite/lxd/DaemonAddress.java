package io.deepsite.lxd;

/**
 * Which daemon a site is at; its text is how messages name it, {@code LXD at unix:///var/lib/lxd/unix.socket}.
 *
 * @param endpoint as in site.yaml
 */
record DaemonAddress(Daemon daemon, String endpoint) {
    /** Whether the daemon is on this host. */
    boolean isSocket() {
        return endpoint.startsWith("unix:");
    }

    @Override
    public String toString() {
        return daemon + " at " + endpoint;
    }
}
