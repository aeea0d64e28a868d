package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Requirements;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import java.util.List;
import java.util.TreeSet;

/** Checks that the cloud has what a machine group names, and that the group has what the clusters require. */
final class GroupChecks {
    private final Snapshot snapshot;
    private final Requirements requirements;
    private final MissingReference lacks;
    private final List<Diagnostic> faults;

    GroupChecks(Snapshot snapshot, Requirements requirements, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.requirements = requirements;
        this.lacks = new MissingReference(snapshot.cloud());
        this.faults = faults;
    }

    /** The zone and the volume types that the site names. */
    void named(Name group, OpenStackMachines more) {
        var who = "The machine group " + group;
        more.zone()
                .filter(zone -> !snapshot.zones().contains(zone))
                .ifPresent(zone -> faults.add(lacks.thing(
                        Code.OPENSTACK_ZONE_MISSING,
                        who,
                        "availability zone",
                        zone,
                        snapshot.zones(),
                        "Name an existing one, or leave zone out.",
                        "openstack availability zone list")));
        var types = new TreeSet<String>();
        more.bootVolume().flatMap(OpenStackMachines.BootVolume::type).ifPresent(types::add);
        more.volumes().values().forEach(volume -> volume.type().ifPresent(types::add));
        boolean asksVolumes = more.bootVolume().isPresent() || !more.volumes().isEmpty();
        if (asksVolumes && snapshot.volumeTypes().isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_SERVICE_MISSING,
                    who + " asks for volumes, and " + snapshot.cloud() + " has no volume service.",
                    "Remove bootVolume and volumes from provider.openstack.groups." + group + "."));
            return;
        }
        var known = snapshot.volumeTypes().orElse(List.of());
        types.stream()
                .filter(type -> !known.contains(type))
                .forEach(type -> faults.add(lacks.thing(
                        Code.OPENSTACK_VOLUME_TYPE_MISSING,
                        who,
                        "volume type",
                        type,
                        known,
                        "Name an existing one, or leave type out for the cloud's default.",
                        "openstack volume type list")));
    }

    void compareWithMinimum(Name group, MachineGroup machine) {
        faults.addAll(requirements.of(group).misses(group, machine));
        machine.gpus().stream()
                .filter(request -> request.vendor().isEmpty())
                .findFirst()
                .ifPresent(_ -> faults.add(Diagnostic.error(
                        Code.GPU_VENDOR_NEEDED,
                        "Machine group " + group + " asks for a GPU without its vendor, and a flavor does not say it.",
                        "Add vendor to machines." + group + ".gpus.")));
    }
}
