package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that one survey read.
 *
 * @param endpoint as in site.yaml
 * @param instances of every project
 * @param volumes custom volumes by pool
 * @param leases addresses in use on the site's network
 * @param hostSubnets addresses of the LXD host with their prefix; read only when the site's network has to be made
 * @param space of the site's pool
 */
record Snapshot(
        String endpoint,
        Server server,
        List<Instance> instances,
        List<Pool> pools,
        Map<String, List<Volume>> volumes,
        List<Network> networks,
        List<Network.Lease> leases,
        List<String> hostSubnets,
        List<Image> images,
        List<Hardware.Card> cards,
        Optional<Pool.Space> space) {

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

    /** Those of the project that we work in. */
    List<Instance> ownProject() {
        return instances.stream()
                .filter(instance -> instance.project().equals("default"))
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

    /** By alias, or by its whole fingerprint. */
    Optional<Image> imageNamed(String name) {
        return images.stream()
                .filter(image -> image.fingerprint().equals(name)
                        || image.aliases().stream()
                                .anyMatch(alias -> alias.name().equals(name)))
                .findFirst();
    }
}
