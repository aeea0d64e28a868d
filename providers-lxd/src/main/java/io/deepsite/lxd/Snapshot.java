package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one survey read.
 *
 * @param at the daemon
 * @param project the site's project
 * @param instances of every project
 * @param volumes custom volumes by pool
 * @param leases addresses in use on the site's network
 * @param hostSubnets addresses of the LXD host with their prefix; read only if the site's network is missing
 * @param space of the site's pool
 * @param profiles of the project
 * @param members of the cluster; empty without one
 * @param ports network interfaces of the LXD host
 * @param warnings read only if the site asks for virtual machines
 * @param paths faults of the host's devices and folders that the site names, by path
 */
record Snapshot(
        DaemonAddress at,
        Server server,
        Project project,
        List<Instance> instances,
        List<Pool> pools,
        Map<String, List<Volume>> volumes,
        List<Network> networks,
        List<Network.Lease> leases,
        List<String> hostSubnets,
        List<Image> images,
        List<Hardware.Card> cards,
        Optional<Pool.Space> space,
        List<Profile> profiles,
        List<Member> members,
        List<Hardware.Port> ports,
        List<Warning> warnings,
        Map<String, HostLook.Wrong> paths) {

    /** @param config its features and limits */
    record Project(String name, Map<String, String> config) {
        /** Whether its networks are separate from the default project's. */
        boolean hasOwnNetworks() {
            return !name.equals(DaemonSettings.USUAL_PROJECT) && "true".equals(config.get("features.networks"));
        }
    }

    record Profile(String name, Map<String, Map<String, String>> devices) {
        Profile(String name, @Nullable Map<String, Map<String, String>> devices) {
            this.name = name;
            this.devices = Objects.requireNonNullElse(devices, Map.of());
        }
    }

    /** @param groups the cluster groups that it belongs to */
    record Member(String serverName, String status, List<String> groups) {
        Member(String serverName, @Nullable String status, @Nullable List<String> groups) {
            this.serverName = serverName;
            this.status = Objects.requireNonNullElse(status, "");
            this.groups = Objects.requireNonNullElse(groups, List.of());
        }
    }

    record Warning(String type, String lastMessage) {}

    Optional<Pool> pool(String name) {
        return pools.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    Optional<Network> network(String name) {
        return networks.stream().filter(network -> network.name().equals(name)).findFirst();
    }

    Optional<Volume> volume(String pool, String name) {
        return volumes.getOrDefault(pool, List.of()).stream()
                .filter(volume -> volume.name().equals(name))
                .findFirst();
    }

    /** The instances of the site's project. */
    List<Instance> ownProject() {
        return instances.stream()
                .filter(instance -> instance.project().equals(project.name()))
                .toList();
    }

    Optional<Instance> instance(String name) {
        return ownProject().stream()
                .filter(instance -> instance.name().equals(name))
                .findFirst();
    }

    Optional<Image> image(String fingerprint) {
        return images.stream()
                .filter(image -> image.fingerprint().equals(fingerprint))
                .findFirst();
    }

    /** Finds an image by alias, or by its whole fingerprint. */
    Optional<Image> imageNamed(String name) {
        return images.stream()
                .filter(image -> image.fingerprint().equals(name)
                        || image.aliases().stream()
                                .anyMatch(alias -> alias.name().equals(name)))
                .findFirst();
    }
}
