package io.deepsite.openstack;

import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The things of a snapshot that belong to one site, in OpenStack's own terms. */
final class Owned {
    private final Name site;
    private final Map<ResourceId, Snapshot.Server> servers;
    private final Map<ResourceId, Snapshot.Port> ports;
    private final Map<ResourceId, Snapshot.FloatingIp> floatingIps;

    Owned(Snapshot snapshot, Name site) {
        this.site = site;
        this.servers = byId(snapshot.servers());
        this.ports = byId(snapshot.ports());
        this.floatingIps = byId(snapshot.floatingIps());
    }

    Optional<Snapshot.Server> server(String machine) {
        return Optional.ofNullable(servers.get(new ResourceId(ResourceId.MACHINE, machine)));
    }

    Optional<Snapshot.Port> port(String machine) {
        return Optional.ofNullable(ports.get(Kinds.port(machine)));
    }

    Optional<Snapshot.FloatingIp> floatingIp(String machine) {
        return Optional.ofNullable(floatingIps.get(Kinds.floatingIp(machine)));
    }

    /** Whether these tags are those of this resource of this site. */
    boolean is(String text, ResourceId id) {
        return ours(text).map(id::equals).orElse(false);
    }

    private Optional<ResourceId> ours(String text) {
        return Ownership.of(text)
                .filter(found -> found.tags().site().equals(site))
                .map(Ownership::id);
    }

    private <T extends Snapshot.Tagged> Map<ResourceId, T> byId(List<T> all) {
        return all.stream()
                .filter(one -> ours(one.tags()).isPresent())
                .collect(Collectors.toMap(one -> ours(one.tags()).orElseThrow(), one -> one, (first, _) -> first));
    }
}
