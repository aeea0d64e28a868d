package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.Elastic;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.state.SiteState;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The machines of a site that its clusters have only while their work needs them. */
final class ElasticMachines {
    private record Member(Name group, int number) {}

    private final Site site;
    private final SortedMap<Name, Elastic> clusters = new TreeMap<>();
    private final Map<String, Member> members = new HashMap<>();

    ElasticMachines(ClusterKinds kinds, Site site) {
        this.site = site;
        site.clusters()
                .forEach((name, cluster) ->
                        kinds.of(site, name, cluster).elastic().ifPresent(elastic -> clusters.put(name, elastic)));
        clusters.values().forEach(elastic -> elastic.most().forEach(this::members));
    }

    private void members(Name group, int most) {
        var machines = site.machines().get(group);
        if (machines != null) {
            for (int number = machines.count().orElse(most) + 1; number <= most; number++) {
                members.put(group + "-" + number, new Member(group, number));
            }
        }
    }

    /** The clusters that have such machines. */
    SortedMap<Name, Elastic> clusters() {
        return clusters;
    }

    /** Whether it is one of them, there or not. */
    boolean contains(String machine) {
        return members.containsKey(machine);
    }

    /** Whether it is one of this cluster. */
    boolean contains(Elastic cluster, String machine) {
        var member = members.get(machine);
        return member != null && cluster.most().containsKey(member.group());
    }

    /** Those that are there, or were when the site was last applied. */
    SortedSet<String> existing(List<ObservedResource> owned, SiteState state) {
        var names = new TreeSet<String>();
        owned.stream()
                .map(ObservedResource::id)
                .filter(id -> id.kind().equals(ResourceId.MACHINE))
                .map(ResourceId::key)
                .filter(this::contains)
                .forEach(names::add);
        state.hosts().keySet().stream().filter(this::contains).forEach(names::add);
        return names;
    }

    /**
     * Those of the target that are there or that there is room for.
     *
     * @param failed gets the others, and why
     */
    SortedSet<String> admitted(
            SortedSet<String> target, SortedSet<String> existing, ElasticRoom room, SortedMap<String, String> failed) {
        var admitted = new TreeSet<String>();
        var counted = new TreeSet<>(existing);
        for (var name : target) {
            var why =
                    existing.contains(name) || !counted.add(name) ? Optional.<String>empty() : room.take(with(counted));
            why.ifPresentOrElse(
                    reason -> {
                        counted.remove(name);
                        failed.put(name, reason);
                    },
                    () -> admitted.add(name));
        }
        return admitted;
    }

    /** The site with these of them, and with all machines that are always there. */
    Site with(Collection<String> machines) {
        if (machines.isEmpty()) {
            return site;
        }
        var numbers = new HashMap<Name, TreeSet<Integer>>();
        for (var machine : machines) {
            var member = Objects.requireNonNull(members.get(machine), machine);
            numbers.computeIfAbsent(member.group(), _ -> new TreeSet<>()).add(member.number());
        }
        var groups = new LinkedHashMap<Name, MachineGroup>();
        site.machines().forEach((name, group) -> {
            var beyond = numbers.get(name);
            groups.put(name, beyond == null ? group : group.withBeyond(beyond));
        });
        return site.withMachines(groups);
    }
}
