package io.deepsite.topology;

import io.deepsite.site.Cluster;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.PassedDevice;
import io.deepsite.site.Site;
import io.deepsite.site.SiteNetwork;
import io.deepsite.site.Size;
import io.deepsite.text.HostNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The machines of a site by group, their networks, and the clusters on them.
 *
 * @param provider its name in site.yaml
 * @param networks of the machines; empty where site.yaml says nothing of them
 * @param groups in the order of site.yaml
 * @param clusters likewise
 */
public record Topology(
        String site, String provider, List<SiteNetwork> networks, List<Group> groups, List<OnGroups> clusters) {
    /** What site.yaml means of a group where it says nothing. */
    private static final int USUAL_CPUS = 1;

    private static final Size USUAL_MEMORY = Size.parse("1GiB");

    public Topology {
        networks = List.copyOf(networks);
        groups = List.copyOf(groups);
        clusters = List.copyOf(clusters);
    }

    /**
     * Equal machines.
     *
     * @param hosts in order; empty also where only the inventory knows them
     * @param known whether it is known how many there are
     * @param size processors, memory, disk, image; empty where site.yaml does not say them
     * @param gpus of each machine, a line for each model
     * @param passed devices that each machine gives to virtual machines
     * @param configured how many of them were configured; empty in a picture of site.yaml alone
     */
    public record Group(
            String name,
            List<String> hosts,
            boolean known,
            String size,
            List<String> gpus,
            List<String> passed,
            Optional<Integer> configured) {
        /** In the place of their names. */
        public static final String UNKNOWN = "hosts of the inventory";

        public Group {
            hosts = List.copyOf(hosts);
            gpus = List.copyOf(gpus);
            passed = List.copyOf(passed);
        }

        /** {@code node-[1-2000]}; the name of the group where its hosts are not known. */
        public String label() {
            if (!known) {
                return name;
            }
            return hosts.isEmpty() ? name + ": none" : HostNames.brief(hosts);
        }
    }

    /** A cluster, what of it is on which groups, and its own networks. */
    public record OnGroups(String name, String kind, List<Cluster.Part> parts, List<SiteNetwork> networks) {
        public OnGroups {
            parts = List.copyOf(parts);
            networks = List.copyOf(networks);
        }

        /** Its parts on the machines of a group: {@code controller}. */
        public List<String> on(String group) {
            return parts.stream()
                    .filter(part ->
                            part.groups().stream().anyMatch(name -> name.value().equals(group)))
                    .map(Cluster.Part::name)
                    .toList();
        }
    }

    /** @param inventory hosts by group, where the machines exist already and are known */
    public static Topology of(Site site, Map<String, List<String>> inventory) {
        return new Topology(
                site.name().value(),
                site.provider().provider(),
                site.provider().describedNetworks(),
                site.machines().entrySet().stream()
                        .map(entry -> group(site, entry.getKey(), entry.getValue(), inventory))
                        .toList(),
                site.clusters().entrySet().stream()
                        .map(entry -> new OnGroups(
                                entry.getKey().value(),
                                entry.getValue().kind(),
                                entry.getValue().parts(),
                                entry.getValue().describedNetworks()))
                        .toList());
    }

    /** The same with how many machines of each group are among these. */
    public Topology configured(Set<String> hosts) {
        return new Topology(
                site,
                provider,
                networks,
                groups.stream()
                        .map(group -> new Group(
                                group.name,
                                group.hosts,
                                group.known,
                                group.size,
                                group.gpus,
                                group.passed,
                                Optional.of((int) group.hosts.stream()
                                        .filter(hosts::contains)
                                        .count())))
                        .toList(),
                clusters);
    }

    /** Of the machines whose number is known. */
    public int machines() {
        return groups.stream().mapToInt(group -> group.hosts.size()).sum();
    }

    private static Group group(Site site, Name name, MachineGroup asked, Map<String, List<String>> inventory) {
        boolean exist = site.provider().machinesExist();
        var found = inventory.getOrDefault(name.value(), List.of());
        return new Group(
                name.value(),
                exist ? found : site.machineNames(name),
                !exist || !found.isEmpty(),
                size(asked, exist),
                asked.gpus().stream().map(Topology::cards).toList(),
                asked.passthrough().stream().map(Topology::passed).toList(),
                Optional.empty());
    }

    /** A host that exists has the size that it has; site.yaml may say it. */
    private static String size(MachineGroup asked, boolean exists) {
        var words = new ArrayList<String>();
        if (!exists || asked.cpus() != USUAL_CPUS) {
            words.add(asked.cpus() + (asked.cpus() == 1 ? " CPU" : " CPUs"));
        }
        if (!exists || !asked.memory().equals(USUAL_MEMORY)) {
            words.add(asked.memory().toString());
        }
        asked.disk().ifPresent(disk -> words.add("disk " + disk));
        asked.image().ifPresent(image -> words.add(image.toString()));
        return String.join(", ", words);
    }

    private static String cards(GpuRequest request) {
        var model = Stream.of(request.vendor().map(Name::value), request.model())
                .flatMap(Optional::stream)
                .toList();
        return request.cards() + " × " + (model.isEmpty() ? "GPU" : String.join(" ", model));
    }

    private static String passed(PassedDevice device) {
        var what = device.address()
                .map(Object::toString)
                .or(device::kind)
                .or(device::model)
                .orElse("");
        return what
                + device.virtualFunctions().map(count -> ", " + count + " VFs").orElse("");
    }
}
