package io.deepsite.cluster;

import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/** The volumes of a site: what they ask of its machines, and the stages that serve and mount them. */
final class VolumeStages {
    private static final String ROLE = "site_volumes";
    private static final String NFS_PORT = "2049";

    private final Site site;

    VolumeStages(Site site) {
        this.site = site;
    }

    Requirements requirements() {
        var groups = new LinkedHashMap<Name, List<SharedVolume>>();
        var flows = new ArrayList<Flow>();
        site.volumes().forEach((name, volume) -> {
            for (var group : mountedBy(volume)) {
                groups.computeIfAbsent(group, _ -> new ArrayList<>())
                        .add(new SharedVolume(name.value(), volume.mount(), volume.size(), volume.keep()));
            }
            volume.server()
                    .ifPresent(server -> volume.groups().stream()
                            .filter(group -> !group.equals(server))
                            .forEach(group -> flows.add(new Flow(group, server, "tcp", NFS_PORT))));
        });
        var asked = new LinkedHashMap<Name, Requirements.Group>();
        groups.forEach((group, volumes) ->
                asked.put(group, new Requirements.Group(false, volumes, List.of(), 1, Optional.empty())));
        return new Requirements(asked, flows);
    }

    /** Servers first: an export is there before it is mounted. */
    List<Stage> stages(List<Machine> machines) {
        var serving = new LinkedHashMap<String, Map<String, Object>>();
        var mounting = new LinkedHashMap<String, Map<String, Object>>();
        for (var machine : machines) {
            var served = new ArrayList<Map<String, Object>>();
            var mounted = new ArrayList<Map<String, Object>>();
            site.volumes().forEach((name, volume) -> {
                if (volume.server().filter(machine.group()::equals).isPresent()) {
                    served.add(entry(name, volume, "server", "", clients(volume, machine, machines)));
                } else if (volume.groups().contains(machine.group())) {
                    mounted.add(mounted(name, volume, machines));
                }
            });
            if (!served.isEmpty()) {
                serving.put(machine.name(), Map.of("site_volumes_mounts", both(served, mounted)));
            } else if (!mounted.isEmpty()) {
                mounting.put(machine.name(), Map.of("site_volumes_mounts", mounted));
            }
        }
        var stages = new ArrayList<Stage>();
        if (!serving.isEmpty()) {
            stages.add(new Stage(SiteStages.SERVED_VOLUMES, ROLE, serving, 0, List.of(SiteStages.USERS), false));
        }
        if (!mounting.isEmpty()) {
            var needs = new ArrayList<>(List.of(SiteStages.USERS));
            stages.forEach(stage -> needs.add(stage.name()));
            stages.add(new Stage(SiteStages.VOLUMES, ROLE, mounting, 0, needs, false));
        }
        return stages;
    }

    /** The groups whose machines mount a volume of the provider; none where it is a folder, or an export of others. */
    private List<Name> mountedBy(Volume volume) {
        if (isMadeByTheProvider(volume)) {
            return volume.groups();
        }
        return site.provider().attachesVolumes() && volume.size().isPresent()
                ? volume.server().stream().toList()
                : List.of();
    }

    private boolean isMadeByTheProvider(Volume volume) {
        return volume.nfs().isEmpty() && site.provider().sharesVolumes();
    }

    private Map<String, Object> mounted(Name name, Volume volume, List<Machine> machines) {
        if (isMadeByTheProvider(volume)) {
            return entry(name, volume, "provider", "", List.of());
        }
        var source = volume.nfs()
                .orElseGet(() -> volume.server().stream()
                                .flatMap(server -> ClusterStages.in(server, machines).stream())
                                .findFirst()
                                .map(SiteStages::address)
                                .orElse("")
                        + ":" + volume.mount());
        return entry(name, volume, "client", source, List.of());
    }

    private static Map<String, Object> entry(Name name, Volume volume, String by, String source, List<String> clients) {
        return Map.of(
                "name", name.value(),
                "mount", volume.mount(),
                "by", by,
                "source", source,
                "clients", clients,
                "owner", volume.owner().map(Name::value).orElse("root"),
                "group", volume.group().map(Name::value).orElse("root"),
                "mode", volume.permissions());
    }

    private static List<String> clients(Volume volume, Machine server, List<Machine> machines) {
        return ClusterStages.in(distinct(volume.groups()), machines).stream()
                .filter(machine -> !machine.equals(server))
                .map(SiteStages::address)
                .toList();
    }

    private static SequencedSet<Name> distinct(List<Name> groups) {
        return new LinkedHashSet<>(groups);
    }

    private static List<Map<String, Object>> both(List<Map<String, Object>> one, List<Map<String, Object>> other) {
        var all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }
}
