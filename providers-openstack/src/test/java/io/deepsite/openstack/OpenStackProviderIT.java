package io.deepsite.openstack;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderContractTest;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import io.deepsite.site.ProviderSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The contract against a real OpenStack: the cloud that testbed/openstack/up makes, as an ordinary user of a project. */
final class OpenStackProviderIT extends ProviderContractTest {
    private final OpenStackSettings settings = RealCloud.settings("10.64.0.0/24", Optional.of("public"));
    private final Cloud cloud = RealCloud.cloud("tenant");
    private final ServerBody bodies =
            new ServerBody(cloud, new TaggedResources(cloud, "the testbed", Pause.REAL), java.nio.file.Path.of(""));

    @Override
    protected Provider open() {
        return RealCloud.provider("tenant", settings);
    }

    @Override
    protected ProviderSettings settings() {
        return settings;
    }

    @Override
    protected String image() {
        return "debian-12";
    }

    @Override
    protected boolean bakesImages() {
        return true;
    }

    @Override
    protected boolean keepsVolumes() {
        return true;
    }

    @Override
    protected boolean placesFiles() {
        return false;
    }

    /** No host has room for its flavor: it stays in ERROR. */
    @Override
    protected void makeHalf(Resource machine, Tags tags) {
        var values = new LinkedHashMap<>(machine.attributes());
        values.put(ServerAttributes.FLAVOR, ServerAttributes.attribute(ServerAttributes.FLAVOR, "nowhere"));
        var hopeless = new Resource(machine.id(), machine.name(), new java.util.TreeMap<>(values), machine.dependsOn());
        var server = bodies.of(hopeless, tags, Boot.NONE, Optional.empty());
        cloud.client().compute().servers().boot(server);
    }

    @Override
    protected void makeForeign(Resource machine) {
        var body = Map.of(
                "name",
                machine.name(),
                "flavorRef",
                bodies.flavorId("small"),
                "imageRef",
                machine.values().getOrDefault(ServerAttributes.FINGERPRINT, ""),
                "networks",
                "none");
        cloud.rest(Service.COMPUTE).post("/servers", Map.of("server", body));
    }

    @Override
    protected void removeForeign(Resource machine) {
        Family.SERVERS.named(cloud, machine.name()).forEach(server -> Family.SERVERS.delete(cloud, server.id()));
        while (!Family.SERVERS.named(cloud, machine.name()).isEmpty()) {
            Pause.REAL.of(Duration.ofMillis(200));
        }
    }
}
