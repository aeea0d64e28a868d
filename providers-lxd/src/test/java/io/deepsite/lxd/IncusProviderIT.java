package io.deepsite.lxd;

/** The contract against a real Incus: the daemon, bridge, pool and image that testbed/incus/up makes. */
final class IncusProviderIT extends DaemonContractTest {
    IncusProviderIT() {
        super(RealLxd.incus("nova", "incusbr0"));
    }

    @Override
    DaemonSettings other(String pool, String network) {
        return RealLxd.incus(pool, network);
    }
}
