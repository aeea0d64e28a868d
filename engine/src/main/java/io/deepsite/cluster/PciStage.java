package io.deepsite.cluster;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.PciBus;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.PassedDevice;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * PCI passthrough, before all other stages: it restarts the hosts, one at a time. Only a host itself knows its bus, so
 * an unreachable host is left out and keeps its configuration.
 */
public final class PciStage {
    public static final String ROLE = "pci_passthrough";

    static final String STAGE = "site." + ROLE;

    private final Site site;
    private final Predicate<Name> configuresLibvirt;

    /** @param configuresLibvirt groups on whose machines a cluster's own roles configure libvirt's device access */
    PciStage(Site site, Predicate<Name> configuresLibvirt) {
        this.site = site;
        this.configuresLibvirt = configuresLibvirt;
    }

    /** Whether the hosts of a group pass devices through. */
    public static boolean gives(Site site, Name group) {
        return !devices(site, group).isEmpty();
    }

    private static List<PassedDevice> devices(Site site, Name group) {
        return Optional.ofNullable(site.machines().get(group))
                .map(MachineGroup::passthrough)
                .orElse(List.of());
    }

    /** The stages, each after the restart of its hosts. */
    List<Stage> first(List<Machine> machines, Map<String, PciBus> buses, List<Stage> stages) {
        var variables = new LinkedHashMap<String, Map<String, Object>>();
        var faults = new ArrayList<Diagnostic>();
        for (var machine : machines) {
            var bus = buses.get(machine.name());
            if (bus != null && gives(site, machine.group())) {
                try {
                    variables.put(machine.name(), variables(machine, bus));
                } catch (Failure e) {
                    faults.addAll(e.diagnostics());
                }
            }
        }
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return first(variables, stages);
    }

    /** The same of hosts whose bus is not known: without what their files will hold. */
    List<Stage> outline(List<Machine> machines, List<Stage> stages) {
        var variables = new LinkedHashMap<String, Map<String, Object>>();
        machines.stream()
                .filter(machine -> gives(site, machine.group()))
                .forEach(machine -> variables.put(machine.name(), Map.of()));
        return first(variables, stages);
    }

    private static List<Stage> first(Map<String, Map<String, Object>> variables, List<Stage> stages) {
        if (variables.isEmpty()) {
            return stages;
        }
        var all = new ArrayList<Stage>();
        all.add(new Stage(STAGE, ROLE, variables, 1, List.of(), false));
        stages.forEach(stage ->
                all.add(stage.hosts().stream().anyMatch(variables::containsKey) ? stage.needing(STAGE) : stage));
        return all;
    }

    private Map<String, Object> variables(Machine machine, PciBus bus) {
        var passage = PciPassage.of(machine.name(), devices(site, machine.group()), bus);
        var nova = Optional.ofNullable(site.machines().get(machine.group()))
                .flatMap(MachineGroup::nova)
                .map(release -> new NovaPci(release, passage).variables())
                .orElse(Map.of("option", "", "devices", List.of(), "aliases", List.of()));
        boolean intel = bus.iommu().equals(Optional.of("DMAR"));
        return Map.of(
                "pci_passthrough_arguments",
                // AMD's IOMMU is enabled by default.
                intel ? List.of("intel_iommu=on", "iommu=pt") : List.of("iommu=pt"),
                "pci_passthrough_patience",
                site.ssh().restart().duration().toSeconds(),
                "pci_passthrough_functions",
                passage.functions().stream().map(PciStage::named).toList(),
                "pci_passthrough_virtual",
                passage.split().entrySet().stream()
                        .map(entry -> {
                            var card = named(entry.getKey());
                            card.put("count", entry.getValue());
                            return card;
                        })
                        .toList(),
                "pci_passthrough_nova",
                nova,
                "pci_passthrough_libvirt",
                !configuresLibvirt.test(machine.group()),
                "pci_passthrough_words",
                passage.words());
    }

    private static Map<String, Object> named(PciBus.Function function) {
        var named = new LinkedHashMap<String, Object>();
        named.put("address", function.address().value());
        named.put("vendor", function.vendor());
        named.put("device", function.device());
        return named;
    }
}
