package io.deepsite.openstack;

import io.deepsite.openstack.Snapshot.Tagged;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.openstack4j.api.OSClient.OSClientV3;
import tools.jackson.databind.JsonNode;

/** One sort of things of the cloud: lists and deletes them. */
final class Family<T extends Tagged> {
    static final Family<Snapshot.Network> NETWORKS = new Family<>(
            "network",
            raw(Service.NETWORK, "/networks", "networks", Read::network),
            (openstack, id) -> openstack.networking().network().delete(id));
    static final Family<Snapshot.Subnet> SUBNETS = new Family<>(
            "subnet",
            raw(Service.NETWORK, "/subnets", "subnets", Read::subnet),
            (openstack, id) -> openstack.networking().subnet().delete(id));
    static final Family<Snapshot.Router> ROUTERS = new Family<>(
            "router",
            raw(Service.NETWORK, "/routers", "routers", Read::router),
            (openstack, id) -> openstack.networking().router().delete(id));
    static final Family<Snapshot.Port> PORTS = new Family<>(
            "port",
            raw(Service.NETWORK, "/ports", "ports", Read::port),
            (openstack, id) -> openstack.networking().port().delete(id));
    static final Family<Snapshot.SecurityGroup> SECURITY_GROUPS = new Family<>(
            "security group",
            typed((openstack, query) -> openstack.networking().securitygroup().list(query), Read::securityGroup),
            (openstack, id) -> openstack.networking().securitygroup().delete(id));
    /** A floating IP has no name. */
    static final Family<Snapshot.FloatingIp> FLOATING_IPS = new Family<>(
            "floating IP",
            typed((openstack, query) -> openstack.networking().floatingip().list(query), Read::floatingIp),
            (openstack, id) -> openstack.networking().floatingip().delete(id),
            _ -> Map.of());
    /** Nova takes a regular expression for a name; our names have none of its special characters. */
    static final Family<Snapshot.Server> SERVERS = new Family<>(
            "server",
            raw(Service.COMPUTE, "/servers/detail", "servers", Read::server),
            (openstack, id) -> openstack.compute().servers().delete(id),
            name -> Map.of("name", "^" + name + "$"));
    /** Also private ones that the user may see; Nova cannot filter them by name. */
    static final Family<Snapshot.Flavor> FLAVORS = new Family<>(
            "flavor",
            raw(Service.COMPUTE, "/flavors/detail?is_public=None", "flavors", Read::flavor),
            (openstack, id) -> openstack.compute().flavors().delete(id),
            _ -> Map.of());
    /** Their names hold our tags as well. */
    static final Family<Snapshot.ServerGroup> SERVER_GROUPS = new Family<>(
            "server group",
            raw(Service.COMPUTE, "/os-server-groups", "server_groups", Read::serverGroup),
            (openstack, id) -> openstack.compute().serverGroups().delete(id),
            _ -> Map.of());

    static final Family<Snapshot.Keypair> KEYPAIRS = new Family<>(
            "keypair",
            typed((openstack, _) -> openstack.compute().keypairs().list(), Read::keypair),
            (openstack, name) -> openstack.compute().keypairs().delete(name),
            _ -> Map.of());
    static final Family<Snapshot.Image> IMAGES = new Family<>(
            "image",
            raw(Service.IMAGE, "/images?limit=1000", "images", Read::image),
            (openstack, id) -> openstack.imagesV2().delete(id));
    static final Family<Snapshot.Volume> VOLUMES = new Family<>(
            "volume",
            raw(Service.VOLUME, "/volumes/detail", "volumes", Read::volume),
            (openstack, id) -> openstack.blockStorage().volumes().delete(id));

    private final String words;
    private final Lister<T> lister;
    private final BiConsumer<OSClientV3, String> deletion;
    private final Function<String, Map<String, String>> byName;

    /** Lists the things that match a query. */
    private interface Lister<T> {
        List<T> list(Cloud cloud, Map<String, String> query);
    }

    private Family(String words, Lister<T> lister, BiConsumer<OSClientV3, String> deletion) {
        this(words, lister, deletion, name -> Map.of("name", name));
    }

    /** @param byName the query for those of a name; empty: all of them */
    private Family(
            String words,
            Lister<T> lister,
            BiConsumer<OSClientV3, String> deletion,
            Function<String, Map<String, String>> byName) {
        this.words = words;
        this.lister = lister;
        this.deletion = deletion;
        this.byName = byName;
    }

    private static <T> Lister<T> raw(Service service, String path, String key, Function<JsonNode, T> read) {
        return (cloud, query) ->
                cloud.rest(service).list(path, query, key).stream().map(read).toList();
    }

    private static <O, T> Lister<T> typed(
            BiFunction<OSClientV3, Map<String, String>, List<? extends O>> list, Function<O, T> read) {
        return (cloud, query) -> list.apply(cloud.client(), query).stream()
                .filter(Objects::nonNull)
                .<T>map(read)
                .toList();
    }

    static Family<?> of(String kind) {
        return switch (kind) {
            case Kinds.NETWORK -> NETWORKS;
            case Kinds.SUBNET -> SUBNETS;
            case Kinds.ROUTER -> ROUTERS;
            case Kinds.PORT -> PORTS;
            case Kinds.SECURITY_GROUP, Kinds.SECURITY_RULES -> SECURITY_GROUPS;
            case Kinds.FLOATING_IP -> FLOATING_IPS;
            case Kinds.SERVER -> SERVERS;
            case Kinds.FLAVOR -> FLAVORS;
            case Kinds.SERVER_GROUP -> SERVER_GROUPS;
            case Kinds.KEYPAIR -> KEYPAIRS;
            case Kinds.IMAGE -> IMAGES;
            case Kinds.VOLUME -> VOLUMES;
            default -> throw new IllegalArgumentException("OpenStack has no " + kind);
        };
    }

    /** Its name in messages. */
    String words() {
        return words;
    }

    List<T> all(Cloud cloud) {
        return list(cloud, Map.of());
    }

    List<T> list(Cloud cloud, Map<String, String> query) {
        return lister.list(cloud, query);
    }

    /** Those of a name, with others if the service cannot filter by name. */
    List<T> named(Cloud cloud, String name) {
        return list(cloud, byName.apply(name));
    }

    /** @return false when it was not there */
    boolean delete(Cloud cloud, String id) {
        return Refusal.found(() -> deletion.accept(cloud.client(), id));
    }
}
