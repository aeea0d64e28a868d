package io.deepsite.lxd;

/** The provider {@code lxd}: machines on an LXD host or cluster. */
public final class LxdProviderFactory extends DaemonProviderFactory<LxdSettings> {
    public LxdProviderFactory() {
        super(Daemon.LXD, LxdSettings.class);
    }
}
