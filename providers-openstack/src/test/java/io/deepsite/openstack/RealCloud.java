package io.deepsite.openstack;

import io.deepsite.provider.Pause;
import io.deepsite.site.Cidr;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cloud that testbed/openstack/up makes, as its tenant or its administrator. */
final class RealCloud {
    private static final Path CLOUDS = Path.of(
                    Optional.ofNullable(System.getenv("OS_TESTBED")).orElse("/var/tmp/deepsite-openstack"))
            .resolve("clouds.yaml");

    private RealCloud() {}

    static OpenStackProvider provider(String user, OpenStackSettings settings) {
        return new OpenStackProvider(settings, cloud(user), Path.of(""), Pause.REAL, InstantSource.system());
    }

    static Cloud cloud(String user) {
        var variables = Map.of("OS_CLIENT_CONFIG_FILE", CLOUDS.toString(), "OS_CLOUD", user);
        var environment = new Environment(variables, Path.of(""), Path.of("/nonexistent"), Path.of("/nonexistent"));
        return Connection.open(new CredentialsReader(environment, settings("10.64.0.0/24")).read());
    }

    static OpenStackSettings settings(String cidr) {
        return settings(cidr, Optional.empty());
    }

    /** @param external network that a router leads to; routers are what takes Neutron longest */
    static OpenStackSettings settings(String cidr, Optional<String> external) {
        return new OpenStackSettings(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new OpenStackNetwork(
                        Optional.empty(),
                        Cidr.parse(cidr),
                        Optional.empty(),
                        List.of(),
                        external,
                        Optional.empty(),
                        List.of()),
                Map.of(),
                Map.of(),
                Optional.empty(),
                false,
                1,
                Map.of());
    }
}
