package io.deepsite.operations;

import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Machines as site.yaml asks for them, without a back-end. One represents its group, so a thousand take no longer. */
final class GroupMachines {
    private static final int ADDRESSES = 250;

    private GroupMachines() {}

    static List<Machine> of(Site site) {
        var machines = new ArrayList<Machine>();
        site.machines()
                .forEach((group, asked) -> site.machineNames(group).stream()
                        .findFirst()
                        .ifPresent(name -> machines.add(machine(site, group, asked, name, machines.size()))));
        return machines;
    }

    /** Its address is one that no machine has (RFC 5737), and no other of these has it. */
    private static Machine machine(Site site, Name group, MachineGroup asked, String name, int index) {
        return new Machine(
                name,
                group,
                Optional.of(new ResourceId(ResourceId.MACHINE, name)),
                site.provider().provider(),
                new Machine.Specs(
                        asked.cpus(),
                        asked.memory().mebibytes(),
                        site.provider().containers(group),
                        gpus(asked)),
                new Machine.Ssh(
                        Optional.of("192.0." + (2 + index / ADDRESSES) + "." + (1 + index % ADDRESSES)),
                        site.ssh().port(),
                        site.ssh().user(),
                        Optional.empty()));
    }

    private static List<Machine.Gpu> gpus(MachineGroup asked) {
        return asked.gpus().stream()
                .flatMap(request -> IntStream.range(0, request.cards())
                        .mapToObj(card -> new Machine.Gpu(
                                request.vendor().map(Name::value).orElse(""),
                                request.model().orElse("gpu"),
                                "",
                                "/dev/dri/card" + card)))
                .toList();
    }
}
