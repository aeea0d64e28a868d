package io.deepsite.plan;

import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A user or group whose id on a host is not the site's: it was changed, or a former user returned with another one. */
record Renumbered(String name, boolean isUser, String seen, int wanted) implements Comparable<Renumbered> {

    /**
     * Files carry the id, and deepsite never changes file owners: the host would refuse the new id in the middle of
     * apply.
     *
     * @throws Failure RENUMBERED with all of them
     */
    static void refuse(Planner.Input in, List<Step.OfResource> resources) {
        var made = resources.stream()
                .filter(Step.OfResource::isMachine)
                .filter(step -> step.change() == Change.CREATE || step.change() == Change.REPLACE)
                .map(RoleSteps::host)
                .collect(Collectors.toSet());
        var hosts = new TreeMap<Renumbered, Set<String>>();
        for (var stage : in.desired().stages()) {
            for (var host : stage.hosts()) {
                var observed = Planner.observed(in, host);
                if (observed.isPresent() && !made.contains(host)) {
                    in.desired().contract(stage, host).contract().items().stream()
                            .flatMap(item -> of(item, observed.get().of(item)).stream())
                            .forEach(found -> hosts.computeIfAbsent(found, _ -> new TreeSet<>())
                                    .add(host));
                }
            }
        }
        // A user's own group has the same fault: report it once.
        var users = hosts.keySet().stream()
                .filter(Renumbered::isUser)
                .map(Renumbered::name)
                .collect(Collectors.toSet());
        var faults = hosts.entrySet().stream()
                .filter(found -> found.getKey().isUser()
                        || !users.contains(found.getKey().name()))
                .map(found -> found.getKey().fault(found.getValue()))
                .toList();
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    private static Optional<Renumbered> of(Item item, Seen seen) {
        return switch (item) {
            case Item.User user -> of(user.name(), true, seen.text("uid"), user.uid());
            case Item.Group group -> of(group.name(), false, seen.text("gid"), group.gid());
            case Item.Repository _,
                    Item.DebianPackage _,
                    Item.Directory _,
                    Item.Link _,
                    Item.File _,
                    Item.Ini _,
                    Item.Line _,
                    Item.Mount _,
                    Item.Kernel _,
                    Item.Service _,
                    Item.Probe _ -> Optional.empty();
        };
    }

    /** @param seen empty if there is no such user or group, or it is unknown */
    private static Optional<Renumbered> of(String name, boolean isUser, String seen, Optional<Integer> wanted) {
        return wanted.filter(number -> !seen.isEmpty() && !seen.equals(number.toString()))
                .map(number -> new Renumbered(name, isUser, seen, number));
    }

    private Diagnostic fault(Set<String> hosts) {
        var where = String.join(", ", hosts);
        return isUser
                ? Diagnostic.error(
                        Code.RENUMBERED,
                        name + " has uid " + seen + " on " + where + ", but site.yaml says " + wanted
                                + ". Files are owned by number, and deepsite changes no file's owner. Nothing was"
                                + " touched.",
                        "Set users." + name + ".uid: " + seen + " in site.yaml. To change the uid all the same, log "
                                + name + " out and renumber the account on each of these hosts, with its files outside"
                                + " the home folder:",
                        "groupmod --gid " + wanted + " " + name,
                        "usermod --uid " + wanted + " --gid " + wanted + " " + name)
                : Diagnostic.error(
                        Code.RENUMBERED,
                        "The group " + name + " has gid " + seen + " on " + where + ", but the site gives it " + wanted
                                + ". Files are owned by number, and deepsite changes no file's group. Nothing was"
                                + " touched.",
                        "Choose another name for the group, or renumber it on each of these hosts, with its files:",
                        "groupmod --gid " + wanted + " " + name);
    }

    @Override
    public int compareTo(Renumbered other) {
        int byName = name.compareTo(other.name);
        return byName != 0
                ? byName
                : (isUser + " " + seen + " " + wanted).compareTo(other.isUser + " " + other.seen + " " + other.wanted);
    }
}
