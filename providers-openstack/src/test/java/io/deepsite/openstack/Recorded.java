package io.deepsite.openstack;

import io.deepsite.provider.Design;
import io.deepsite.provider.ExampleSite;
import io.deepsite.provider.Requirements;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.openstack4j.core.transport.ObjectMapperSingleton;
import org.openstack4j.openstack.common.ListResult;
import org.openstack4j.openstack.compute.domain.NovaKeypair;
import org.openstack4j.openstack.compute.domain.ext.ExtAvailabilityZone;
import org.openstack4j.openstack.networking.domain.NeutronFloatingIP;
import org.openstack4j.openstack.networking.domain.NeutronSecurityGroup;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lists of the testbed's cloud with site-examples/slurm-openstack in its project. That cloud has no Cinder: volumes are
 * as Cinder's documentation shows them.
 */
final class Recorded {
    private static final Path LISTS = Path.of("src/test/resources/recorded/site.json");
    static final Path EXAMPLE = Path.of("../site-examples/slurm-openstack/site.yaml");

    private Recorded() {}

    /** The project with the site in it. */
    static Snapshot project(Consumer<ObjectNode> change) {
        try {
            var tree = (ObjectNode) Json.MAPPER.readTree(Files.readString(LISTS));
            change.accept(tree);
            return new Snapshot(
                    "the cloud lab",
                    tree.path("admin").asBoolean(false),
                    list(tree, "servers", Read::server),
                    list(tree, "flavors", Read::flavor),
                    list(tree, "images", Read::image),
                    list(tree, "networks", Read::network),
                    list(tree, "subnets", Read::subnet),
                    list(tree, "routers", Read::router),
                    list(tree, "ports", Read::port),
                    typed(tree, "security_groups", NeutronSecurityGroup.SecurityGroups.class, Read::securityGroup),
                    typed(tree, "floatingips", NeutronFloatingIP.FloatingIPs.class, Read::floatingIp),
                    list(tree, "server_groups", Read::serverGroup),
                    typed(tree, "keypairs", NovaKeypair.Keypairs.class, Read::keypair),
                    list(tree, "volumes", Read::volume),
                    tree.has("volume_types")
                            ? Optional.of(list(tree, "volume_types", type -> Nodes.text(type, "name")))
                            : Optional.empty(),
                    typed(tree, "availabilityZoneInfo", ExtAvailabilityZone.AvailabilityZones.class, Read::zone)
                            .stream()
                            .flatMap(Optional::stream)
                            .toList(),
                    files(tree, "files", ImageName::new),
                    files(tree, "user_data", Name::new),
                    quotas(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The project before the site was created. */
    static Snapshot empty(Consumer<ObjectNode> change) {
        return project(tree -> {
            for (var key : List.of(
                    "servers", "server_groups", "keypairs", "ports", "routers", "security_groups", "floatingips")) {
                tree.putArray(key);
            }
            remove(tree, "networks", node -> Nodes.text(node, "name").startsWith("ds-"));
            remove(tree, "subnets", node -> Nodes.text(node, "name").startsWith("ds-"));
            change.accept(tree);
        });
    }

    /** A network that another project shares. */
    static void shareNetwork(ObjectNode tree) {
        tree.withArray("networks").addObject().put("id", "n-1").put("name", "lab-net");
        tree.withArray("subnets")
                .addObject()
                .put("id", "s-1")
                .put("network_id", "n-1")
                .put("cidr", "192.0.2.0/24")
                .put("gateway_ip", "192.0.2.1");
    }

    static void remove(ObjectNode tree, String key, Function<JsonNode, Boolean> which) {
        var kept =
                tree.path(key).valueStream().filter(node -> !which.apply(node)).toList();
        var array = tree.putArray(key);
        kept.forEach(array::add);
    }

    private static <T> List<T> list(ObjectNode tree, String key, Function<JsonNode, T> read) {
        return tree.path(key).valueStream().map(read).toList();
    }

    /** As openstack4j reads it. */
    private static <O, T> List<T> typed(
            ObjectNode tree, String key, Class<? extends ListResult<? extends O>> type, Function<O, T> read)
            throws IOException {
        var answer = Json.MAPPER.createObjectNode().set(key, tree.path(key)).toString();
        return ObjectMapperSingleton.getContext(type).readValue(answer, type).getList().stream()
                .<T>map(read)
                .toList();
    }

    /** {@code {name: [path, bytes, first line]}}. */
    private static <K> Map<K, Snapshot.LocalFile> files(ObjectNode tree, String key, Function<String, K> name) {
        var files = new LinkedHashMap<K, Snapshot.LocalFile>();
        tree.path(key)
                .properties()
                .forEach(entry -> files.put(
                        name.apply(entry.getKey()),
                        new Snapshot.LocalFile(
                                entry.getValue().path(0).asString(),
                                entry.getValue().path(1).asLong(),
                                "0123456789abcdef".repeat(8),
                                entry.getValue().path(2).asString())));
        return files;
    }

    /** {@code {INSTANCES: [limit, used]}}. */
    private static Optional<Quotas> quotas(ObjectNode tree) {
        var quotas = new EnumMap<Quota, Quotas.Usage>(Quota.class);
        tree.path("quotas")
                .properties()
                .forEach(entry -> quotas.put(
                        Quota.valueOf(entry.getKey()),
                        new Quotas.Usage(
                                entry.getValue().path(0).asLong(),
                                entry.getValue().path(1).asLong())));
        return Optional.of(new Quotas("lab", quotas));
    }

    static Site example() {
        return ExampleSite.machinesOf(EXAMPLE, new OpenStackProviderFactory());
    }

    /** A site of one group in a project of its own network. */
    static Site site(String openstack, String machines) {
        var text = """
                apiVersion: deepsite/v1
                site: lab
                provider: {openstack: %s}
                machines: %s
                """.formatted(openstack, machines);
        return ExampleSite.read(text, new OpenStackProviderFactory());
    }

    /** Of the example with what its cluster asks, of another site with nothing. */
    static Design compile(Snapshot snapshot, Site site) {
        return compile(
                snapshot,
                site,
                site.name().value().equals("slurm-openstack") ? ExampleSite.OF_SLURM : Requirements.NONE);
    }

    static Design compile(Snapshot snapshot, Site site, Requirements asked) {
        return new Compilation(snapshot, (OpenStackSettings) site.provider(), site, asked).design();
    }
}
