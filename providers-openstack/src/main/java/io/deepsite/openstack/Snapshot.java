package io.deepsite.openstack;

import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Everything that one survey read of a project, in OpenStack's own terms.
 *
 * @param cloud how messages name the cloud
 * @param admin whether the user may create flavors and external networks; asked only if the site creates some
 * @param keypairs of the user who asks
 * @param volumeTypes empty if the cloud has no volume service
 * @param files of {@code provider.openstack.images}, those to upload
 * @param userData of {@code provider.openstack.groups}
 * @param quotas empty if nothing is limited, for tests
 */
record Snapshot(
        String cloud,
        boolean admin,
        List<Server> servers,
        List<Flavor> flavors,
        List<Image> images,
        List<Network> networks,
        List<Subnet> subnets,
        List<Router> routers,
        List<Port> ports,
        List<SecurityGroup> securityGroups,
        List<FloatingIp> floatingIps,
        List<ServerGroup> serverGroups,
        List<Keypair> keypairs,
        List<Volume> volumes,
        Optional<List<String>> volumeTypes,
        List<String> zones,
        Map<ImageName, LocalFile> files,
        Map<Name, LocalFile> userData,
        Optional<Quotas> quotas) {

    /** A thing of the project. */
    interface Tagged {
        /** The identifier that its service uses. */
        String id();

        /** The text that holds our tags if deepsite created it: see {@link Ownership}. */
        String tags();
    }

    /** Has our tags in its description. */
    interface Described extends Tagged {
        String description();

        @Override
        default String tags() {
            return description();
        }
    }

    /** Has our tags in its metadata. */
    interface Annotated extends Tagged {
        Map<String, String> metadata();

        @Override
        default String tags() {
            return metadata().getOrDefault(Ownership.KEY, "");
        }
    }

    /**
     * @param flavor its name, even if the flavor was deleted
     * @param volumes ids of the attached ones, without the boot volume
     * @param launched whether it ever ran
     * @param zone empty if it was never on a host
     * @param fault Nova's reason for status ERROR
     */
    record Server(
            String id,
            String name,
            String status,
            Map<String, String> metadata,
            String flavor,
            boolean configDrive,
            List<String> volumes,
            boolean launched,
            String zone,
            String fault)
            implements Annotated {}

    record Flavor(
            String id,
            String name,
            int cpus,
            int memoryMebibytes,
            int diskGibibytes,
            Map<String, String> extraSpecs,
            String description)
            implements Described {}

    /** @param properties every text that Glance lists of it */
    record Image(
            String id,
            String name,
            String status,
            int minDiskGibibytes,
            int minMemoryMebibytes,
            long bytes,
            Map<String, String> properties)
            implements Tagged {
        /** The property of baked images: what is in them, in words. */
        static final String BAKED = Ownership.KEY + "-baked";

        /** Complete, and of this project: nobody else can put another one in its place. */
        boolean isBaked() {
            return status.equals("active")
                    && properties.containsKey(BAKED)
                    && properties.getOrDefault("visibility", "").equals("private");
        }

        @Override
        public String tags() {
            return properties.getOrDefault(Ownership.KEY, "");
        }
    }

    /** @param provider its physical network, {@code flat physnet1}, which only an administrator sees; else empty */
    record Network(String id, String name, String description, boolean external, String provider)
            implements Described {}

    /** @param pools addresses that Neutron allocates, {@code 10.0.0.2-10.0.0.9} */
    record Subnet(
            String id,
            String name,
            String description,
            String networkId,
            String cidr,
            String gateway,
            List<String> dns,
            List<String> pools)
            implements Described {}

    record Router(String id, String name, String description, String externalNetworkId) implements Described {}

    record Port(
            String id,
            String name,
            String description,
            String networkId,
            String deviceId,
            String deviceOwner,
            List<FixedIp> fixedIps,
            List<String> securityGroups)
            implements Described {}

    record FixedIp(String subnetId, String address) {}

    record SecurityGroup(String id, String name, String description, List<Rule> rules) implements Described {}

    /** An empty text, Neutron's null, means any. */
    record Rule(
            String id,
            String direction,
            String family,
            String protocol,
            String firstPort,
            String lastPort,
            String remoteRange,
            String remoteGroupId) {}

    record FloatingIp(String id, String address, String description, String networkId, String portId)
            implements Described {}

    record ServerGroup(String id, String name, String policy) implements Tagged {
        @Override
        public String tags() {
            return name;
        }
    }

    record Keypair(String name) implements Tagged {
        @Override
        public String id() {
            return name;
        }

        @Override
        public String tags() {
            return Ownership.textOfKeypair(name);
        }
    }

    record Volume(
            String id,
            String name,
            String status,
            int gibibytes,
            String type,
            Map<String, String> metadata,
            List<String> serverIds)
            implements Annotated {}

    /** @param digest SHA-512, as Glance stores it */
    record LocalFile(String path, long bytes, String digest, String firstLine) {}

    Optional<Network> network(String nameOrId) {
        return byNameOrId(networks, nameOrId, Network::id, Network::name);
    }

    Optional<Network> networkOfId(String id) {
        return networks.stream().filter(network -> network.id().equals(id)).findFirst();
    }

    Optional<SecurityGroup> securityGroup(String nameOrId) {
        return byNameOrId(securityGroups, nameOrId, SecurityGroup::id, SecurityGroup::name);
    }

    Optional<Image> image(String nameOrId) {
        return byNameOrId(
                images.stream().filter(image -> image.status().equals("active")).toList(),
                nameOrId,
                Image::id,
                Image::name);
    }

    Optional<Flavor> flavor(String nameOrId) {
        return byNameOrId(flavors, nameOrId, Flavor::id, Flavor::name);
    }

    /** The first of that name: in OpenStack several may have it. */
    private static <T> Optional<T> byNameOrId(
            List<T> all, String nameOrId, Function<T, String> id, Function<T, String> name) {
        return all.stream()
                .filter(one -> id.apply(one).equals(nameOrId))
                .findFirst()
                .or(() -> all.stream()
                        .filter(one -> name.apply(one).equals(nameOrId))
                        .findFirst());
    }
}
