package io.deepsite.lxd;

/** The contract against a real LXD: the daemon, bridge, pool and image that testbed/lxd/up makes. */
final class LxdProviderIT extends DaemonContractTest {
    LxdProviderIT() {
        super(RealLxd.settings("nova", "lxdbr0"));
    }

    @Override
    DaemonSettings other(String pool, String network) {
        return RealLxd.settings(pool, network);
    }
}
