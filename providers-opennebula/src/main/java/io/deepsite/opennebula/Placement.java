package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
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
