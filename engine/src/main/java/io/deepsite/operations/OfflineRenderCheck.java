package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What can be checked of a site with files alone: its roles are rendered for machines as site.yaml asks for them. One machine represents its group, so a thousand take no longer.
 */
public final class OfflineRenderCheck {
    private static final int ADDRESSES = 250;

    private OfflineRenderCheck() {}

    /**
     * Faults of the sites that clusters name for their proof, variables that do not fit a role, templates that cannot be
     * rendered, roles that ask for the same thing on a host.
     *
     * @param file the site's own
     */
    public static List<Diagnostic> faults(Site site, Path file, DeepsiteHome home, ClusterKinds kinds) {
        var faults = new ArrayList<>(FirstRun.faults(site, file, kinds));
        var machines = new ArrayList<Machine>();
        site.machines()
                .forEach((group, asked) -> site.machineNames(group).stream()
                        .findFirst()
                        .ifPresent(name -> machines.add(machine(site, group, asked, name, machines.size()))));
        try {
            new DesiredStateBuilder(site, kinds, home, Map.of()).check(new Design(List.of(), machines));
        } catch (Failure e) {
            faults.addAll(e.diagnostics());
        }
        return faults;
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
