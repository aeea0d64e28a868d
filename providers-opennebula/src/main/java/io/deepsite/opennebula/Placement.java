package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The hosts that may run a machine, as the scheduler's SCHED_REQUIREMENTS. */
final class Placement {
    private final Snapshot snapshot;
    private final List<Diagnostic> faults;

    Placement(Snapshot snapshot, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.faults = faults;
    }

    /** Empty if every host may run it. */
    String requirements(Name group, OpenNebulaMachines more) {
        var parts = new ArrayList<String>();
        more.cluster()
                .ifPresent(name -> Snapshot.find(snapshot.clusters(), name)
                        .ifPresentOrElse(
                                cluster -> parts.add("CLUSTER_ID=\"" + cluster.id() + "\""),
                                () -> faults.add(missing(group, "cluster", name, snapshot.clusters()))));
        var hosts = more.hosts().stream()
                .map(name -> host(group, name))
                .filter(words -> !words.isEmpty())
                .toList();
        if (!hosts.isEmpty()) {
            parts.add(hosts.size() == 1 ? hosts.getFirst() : "(" + String.join(" | ", hosts) + ")");
        }
        return parts.stream().collect(Collectors.joining(" & "));
    }

    /** The clusters that {@code cluster} and {@code hosts} leave; empty if neither is set, or a host is not seen. */
    Optional<Set<Integer>> clusters(OpenNebulaMachines more) {
        if (more.cluster().isPresent()) {
            return more.cluster()
                    .flatMap(name -> Snapshot.find(snapshot.clusters(), name))
                    .map(cluster -> Set.of(cluster.id()));
        }
        var found = more.hosts().stream()
                .flatMap(name -> Snapshot.find(snapshot.hosts(), name).stream())
                .map(Snapshot.Host::clusterId)
                .toList();
        return found.isEmpty() || found.size() < more.hosts().size()
                ? Optional.empty()
                : Optional.of(Set.copyOf(found));
    }

    /** If this user sees no hosts, the scheduler still finds them by name. */
    private String host(Name group, String name) {
        var found = Snapshot.find(snapshot.hosts(), name);
        if (found.isPresent()) {
            return "ID=\"" + found.get().id() + "\"";
        }
        if (snapshot.hosts().isEmpty() && name.matches("[A-Za-z0-9._-]{1,253}")) {
            return "NAME=\"" + name + "\"";
        }
        faults.add(missing(group, "host", name, snapshot.hosts()));
        return "";
    }

    private Diagnostic missing(Name group, String what, String name, List<? extends Snapshot.Thing> known) {
        return new MissingReference(snapshot.front())
                .thing(
                        Code.OPENNEBULA_PLACE_MISSING,
                        "The machine group " + group,
                        what,
                        name,
                        known,
                        "Name an existing one.",
                        "one" + what + " list");
    }
}
