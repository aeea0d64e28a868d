package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineCount;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the clusters of a site ask of its machines.
 *
 * @param groups by machine group; a group without an entry asks nothing
 * @param flows traffic between groups, for security rules
 * @param counts how many machines a group may have
 * @param addresses of the machines' network, to be left free: something else than a machine answers by them
 */
public record Requirements(
        Map<Name, Group> groups, List<Flow> flows, List<IpAddress> addresses, List<MachineCount> counts) {
    public static final Requirements NONE = new Requirements(Map.of(), List.of());

    public Requirements {
        groups = Map.copyOf(groups);
        flows = List.copyOf(flows);
        addresses = List.copyOf(addresses);
        counts = List.copyOf(counts);
    }

    public Requirements(Map<Name, Group> groups, List<Flow> flows) {
        this(groups, flows, List.of(), List.of());
    }

    /** The same, with another number of machines that is asked of a group. */
    public Requirements with(MachineCount count) {
        return new Requirements(
                groups,
                flows,
                addresses,
                Stream.concat(counts.stream(), Stream.of(count)).toList());
    }

    public Group of(Name group) {
        return groups.getOrDefault(group, Group.NONE);
    }

    /**
     * @param nesting containers run inside
     * @param volumes mounted by every machine of the group
     * @param kernelModules needed of the host where the machine is a container
     */
    public record Group(
            boolean nesting,
            List<SharedVolume> volumes,
            List<String> kernelModules,
            int minCpus,
            Optional<Size> minMemory) {
        public static final Group NONE = new Group(false, List.of(), List.of(), 1, Optional.empty());

        public Group {
            volumes = List.copyOf(volumes);
            kernelModules = List.copyOf(kernelModules);
        }

        /** What a machine of this group, as site.yaml asks it, has too little of. */
        public List<Diagnostic> misses(Name group, MachineGroup machine) {
            var misses = new ArrayList<Diagnostic>();
            if (machine.cpus() < minCpus) {
                misses.add(Diagnostic.error(
                        Code.MACHINE_TOO_SMALL,
                        "A machine of group " + group + " has " + machine.cpus() + " cpus; what runs on it needs "
                                + minCpus + ".",
                        "Raise machines." + group + ".cpus."));
            }
            minMemory
                    .filter(least -> machine.memory().compareTo(least) < 0)
                    .ifPresent(least -> misses.add(Diagnostic.error(
                            Code.MACHINE_TOO_SMALL,
                            "A machine of group " + group + " has " + machine.memory()
                                    + " of memory; what runs on it needs " + least + ".",
                            "Raise machines." + group + ".memory.")));
            return misses;
        }
    }

    /** The volumes of a group that have a size of their own: disks, where the provider attaches them. */
    public List<SharedVolume> disks(Name group) {
        return of(group).volumes().stream()
                .filter(volume -> volume.size().isPresent())
                .toList();
    }

    /**
     * One volume that several machines mount at once, or one machine mounts and serves to others, as the provider can; its
     * contents outlive each of them.
     *
     * @param keep its contents outlive the site, too: see {@link ObservedResource#KEPT}
     */
    public record SharedVolume(String name, String path, Optional<Size> size, boolean keep) {}

    /** @param port a port or a range, {@code 6817-6818} */
    public record Flow(Name from, Name to, String protocol, String port) {}
}
