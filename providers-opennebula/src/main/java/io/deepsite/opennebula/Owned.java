package io.deepsite.opennebula;

import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The virtual machines of one site in OpenNebula. */
final class Owned {
    private final Map<ResourceId, Snapshot.Vm> vms;

    Owned(Snapshot snapshot, Name site) {
        this.vms = snapshot.vms().stream()
                .filter(vm -> vm.ownership()
                        .filter(ours -> ours.tags().site().equals(site))
                        .isPresent())
                .collect(Collectors.toMap(vm -> vm.ownership().orElseThrow().id(), vm -> vm, (first, _) -> first));
    }

    Optional<Snapshot.Vm> vm(String machine) {
        return Optional.ofNullable(vms.get(new ResourceId(Kinds.VM, machine)));
    }
}
