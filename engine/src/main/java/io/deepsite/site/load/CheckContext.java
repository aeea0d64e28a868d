package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.MachineCount;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the checks of one reading of site.yaml share. */
public final class CheckContext {
    private final Site site;
    private final Places places;
    private final Findings findings;
    /** By label, then by machine group: the cluster that has it. */
    private final Map<String, Map<Name, Name>> claims = new HashMap<>();

    CheckContext(Site site, Places places, Findings findings) {
        this.site = site;
        this.places = places;
        this.findings = findings;
    }

    public Site site() {
        return site;
    }

    public Places places() {
        return places;
    }

    public Findings findings() {
        return findings;
    }

    /**
     * Machine groups of a cluster must exist, and be in no other cluster that claims by the same label: one machine runs one
     * kubelet, and is a host of one cloud.
     *
     * @param label as messages say it, {@code Kubernetes}; what runs on a machine only once
     */
    public void claim(String label, Name cluster, List<NamedGroup> groups) {
        groups.stream().filter(this::groupExists).forEach(named -> claim(label, cluster, named));
    }

    private void claim(String label, Name cluster, NamedGroup named) {
        var other = claims.computeIfAbsent(label, _ -> new HashMap<>()).putIfAbsent(named.group(), cluster);
        if (other != null && !other.equals(cluster)) {
            findings.fault(
                    Code.GROUP_TWICE,
                    places.of(named.place()),
                    "The machines of " + named.group() + " belong to the " + label + " cluster " + other
                            + " already, and a machine can be in one only.",
                    "Make a machine group of its own for " + cluster + ".");
        }
    }

    /**
     * Adds a fault when site.yaml gives the group another number of machines than its part in the cluster allows. How many hosts
     * a group of an inventory has is not known here: its provider looks.
     *
     * @param place where the cluster names the group
     */
    public void count(MachineCount count, String place) {
        var group = site.machines().get(count.group());
        if (group == null
                || site.provider().machinesExist()
                || findings.isUnsound("provider")
                || findings.isUnsound("machines." + count.group() + ".count")) {
            return;
        }
        int machines = group.count().orElse(1);
        if (machines > 0 && !count.rule().allows(machines)) {
            findings.faultOnce(
                    count.code(),
                    places.of(place),
                    "The group " + count.group() + " has " + machines + " machines; " + count.part() + " must be "
                            + count.rule().of("machines") + ". " + count.why(),
                    "Name a group of " + count.rule().of("machines") + ".");
        }
    }

    /** Adds a fault when there is no such group; silent where the file is unsound there already. */
    public boolean groupExists(NamedGroup named) {
        if (site.machines().containsKey(named.group())) {
            return true;
        }
        if (!findings.isUnsound(named.place()) && !findings.isUnsound("machines." + named.group())) {
            var known = site.machines().keySet().stream().map(Name::value).toList();
            findings.fault(
                    Code.NO_SUCH_GROUP,
                    places.of(named.place()),
                    "There is no group " + named.group() + " under machines"
                            + (known.isEmpty() ? "." : ", only " + Wording.allOf(known) + "."),
                    Wording.didYouMean(
                            named.group().value(), known, "Name one of them, or add the group under machines."));
        }
        return false;
    }

    /**
     * Adds a fault when something that a cluster names is not there; silent where the file is unsound there already.
     *
     * @param what the kind of thing, in words
     * @param where the path at which such things are described
     * @param place the path of the name
     */
    public void isThere(String what, Name name, Collection<Name> known, String where, String place) {
        if (!known.contains(name) && !findings.isUnsound(where) && !findings.isUnsound(place)) {
            findings.fault(
                    Code.NOT_NAMED,
                    places.of(place),
                    "There is no " + what + " " + name + " under " + where + ".",
                    Wording.didYouMean(
                            name.value(),
                            known.stream().map(Name::value).toList(),
                            "Name one of them, or add it there."));
        }
    }
}
