package io.deepsite.lxd;

/** The provider {@code incus}: machines on an Incus host or cluster. */
public final class IncusProviderFactory extends DaemonProviderFactory<IncusSettings> {
    public IncusProviderFactory() {
        super(Daemon.INCUS, IncusSettings.class);
    }
}
