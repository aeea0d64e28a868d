package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;
import static io.deepsite.cluster.ClusterStages.variables;

import io.deepsite.cluster.PlanReview;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Machine;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The release of Slurm, and the way to a newer one: what the key {@code version} adds to a cluster. */
final class SlurmUpgrade {
    /** The probe that prints which other releases are installed on a host. */
    private static final String OTHERS = "other-releases-of-slurm";

    private static final String FIRST_WITH_SHARES = "22.05";
    private static final String OF_REST = "22.05";

    /** What the archives of distributions have. */
    private static final Map<String, String> OF_IMAGES = Map.of(
            "debian/11", "20.11",
            "debian/12", "22.05",
            "debian/13", "24.11",
            "ubuntu/20.04", "19.05",
            "ubuntu/22.04", "21.08",
            "ubuntu/24.04", "23.11");

    /** Nodes are upgraded in about this many turns; after one where a node fails, no other begins. */
    private static final int TURNS = 10;

    private final Site site;
    private final Name name;
    private final Slurm slurm;
    private final String place;

    SlurmUpgrade(Site site, Name name, Slurm slurm) {
        this.site = site;
        this.name = name;
        this.slurm = slurm;
        this.place = "clusters." + name + ".version";
    }

    void check(CheckContext context) {
        if (slurm.version().isEmpty() || context.findings().isUnsound(place)) {
            return;
        }
        var version = slurm.version().get();
        var release = SlurmRelease.of(version);
        if (release.isEmpty()) {
            context.findings()
                    .fault(
                            Code.RELEASE_UNKNOWN,
                            context.places().of(place),
                            "This version of deepsite knows the releases " + String.join(", ", SlurmRelease.KNOWN)
                                    + " of Slurm, and which of them take over from which.",
                            "Write one of these; `sinfo --version` on a machine shows what runs.");
            return;
        }
        if (!slurm.gpuSharing().isEmpty() && release.get().isBefore(FIRST_WITH_SHARES)) {
            notWith(context, "gpuSharing", "needs Slurm " + FIRST_WITH_SHARES + " or newer");
        }
        if (slurm.rest().isPresent() && !version.equals(OF_REST)) {
            notWith(context, "rest", "is the interface of Slurm " + OF_REST);
        }
    }

    private void notWith(CheckContext context, String key, String why) {
        context.findings()
                .fault(
                        Code.NOT_WITH_RELEASE,
                        context.places().of(place),
                        key + " of this cluster " + why + ".",
                        "Choose another release, or remove " + key + ".");
    }

    /** Before a role installs Slurm on the controller. */
    List<Stage> ofController(List<Machine> machines) {
        return slurm.version().stream()
                .map(version -> stage(
                        name,
                        "slurm_release",
                        in(slurm.controller(), machines),
                        _ -> role(
                                version, slurm.accounting() ? List.of("slurmdbd", "slurmctld") : List.of("slurmctld")),
                        List.of(name + ".munge")))
                .toList();
    }

    /** What the role that starts slurmdbd waits for. */
    List<String> beforeAccounting() {
        var needs = new ArrayList<>(List.of(name + ".munge"));
        slurm.version().ifPresent(_ -> needs.add(name + ".slurm_release"));
        return needs;
    }

    /** Once the controller runs it, since a node may never be newer; before a role installs Slurm on nodes. */
    List<Stage> ofNodes(List<Machine> machines) {
        var nodes = SlurmKind.nodes(slurm, machines);
        return slurm.version().stream()
                .map(version -> new Stage(
                        name + ".slurm_release_of_nodes",
                        "slurm_release",
                        variables(nodes, _ -> role(version, List.of("slurmd"))),
                        Math.ceilDiv(nodes.size(), TURNS),
                        List.of(name + ".munge", name + ".slurm_controller"),
                        false))
                .toList();
    }

    /** A plan leaves out stages without a change, and with them what they wait for. */
    List<Stage> inOrder(List<Stage> stages) {
        var controller = name + ".slurm_controller";
        return slurm.version().isEmpty()
                ? stages
                : stages.stream()
                        .map(stage ->
                                stage.needs().contains(controller) ? needing(stage, name + ".slurm_release") : stage)
                        .toList();
    }

    private static Stage needing(Stage stage, String other) {
        var needs = new ArrayList<>(stage.needs());
        needs.add(other);
        return new Stage(stage.name(), stage.role(), stage.variables(), stage.batch(), needs, stage.everyHost());
    }

    private static Map<String, Object> role(String version, List<String> daemons) {
        return Map.of("slurm_release_version", version, "slurm_release_daemons", daemons);
    }

    List<Diagnostic> review(PlanReview plan) {
        var found = new ArrayList<Diagnostic>();
        slurm.version().flatMap(SlurmRelease::of).ifPresent(wanted -> {
            found.addAll(jumps(wanted, plan));
            found.addAll(images(wanted, plan));
        });
        in(slurm.controller(), plan.machines()).stream()
                .filter(head -> plan.replaced().contains(head.name()))
                .forEach(head -> found.add(Diagnostic.warning(
                        Code.QUEUE_LOST,
                        plan.where("machines." + head.group()),
                        "The plan replaces " + head.name() + ", the controller of " + name
                                + ". The queue, its running jobs"
                                + (slurm.accounting() ? " and the records of past jobs" : "")
                                + " go with it: another image makes a new cluster and upgrades none.",
                        "To keep them, leave the image as it is, upgrade the system inside the machines, and Slurm by"
                                + " clusters." + name + ".version.")));
        return found;
    }

    /** By what is installed, one message for all hosts alike. */
    private List<Diagnostic> jumps(SlurmRelease wanted, PlanReview plan) {
        var hosts = new TreeMap<String, List<String>>();
        var ours =
                in(slurm.groups(), plan.machines()).stream().map(Machine::name).toList();
        plan.printed(OTHERS).forEach((host, releases) -> {
            if (ours.contains(host)) {
                releases.lines()
                        .forEach(release -> hosts.computeIfAbsent(release, _ -> new ArrayList<>())
                                .add(host));
            }
        });
        var found = new ArrayList<Diagnostic>();
        hosts.forEach((installed, on) -> refusal(installed, on, wanted)
                .map(refused -> Diagnostic.error(refused.code(), plan.where(place), refused.why(), refused.fix()))
                .ifPresent(found::add));
        return found;
    }

    private record Refusal(Code code, String why, String fix) {}

    private static Optional<Refusal> refusal(String installed, List<String> on, SlurmRelease wanted) {
        var known = SlurmRelease.of(installed);
        String where =
                on.size() == 1 ? on.getFirst() + " has" : on.getFirst() + " and " + (on.size() - 1) + " more have";
        if (known.isEmpty() || known.get().compareTo(wanted) > 0) {
            return Optional.of(new Refusal(
                    Code.RELEASE_BACK,
                    where + " Slurm " + installed + ", and Slurm does not go back to " + wanted
                            + ": an older release reads neither the state nor the database of a newer one. Nothing was"
                            + " changed.",
                    "Write version: \"" + installed + "\"" + (on.size() == 1 ? "" : " or newer") + "."));
        }
        var path = wanted.pathFrom(known.get());
        if (path.size() < 2) {
            return Optional.empty();
        }
        var first = path.getFirst();
        return Optional.of(new Refusal(
                Code.RELEASE_JUMP,
                where + " Slurm " + installed + "; " + wanted + " takes over jobs, state and records from "
                        + wanted.oldestBefore() + " or newer only, and would lose them. The way is " + installed + " → "
                        + path.stream().map(SlurmRelease::name).collect(Collectors.joining(" → "))
                        + ". Nothing was changed.",
                "Give the machines an archive with Slurm " + first + ", write version: \"" + first
                        + "\", apply, let the jobs that ran meanwhile end, and go on from there."));
    }

    /** Machines to be made, whose archives have another release. */
    private List<Diagnostic> images(SlurmRelease wanted, PlanReview plan) {
        return slurm.groups().stream()
                .filter(group -> in(group, plan.machines()).stream()
                        .anyMatch(machine -> plan.made().contains(machine.name())))
                .flatMap(group -> imageOf(group).stream()
                        .filter(image -> OF_IMAGES.containsKey(image))
                        .filter(image -> !wanted.name().equals(OF_IMAGES.get(image)))
                        .map(image -> Diagnostic.error(
                                Code.RELEASE_OF_IMAGE,
                                plan.where("machines." + group + ".image"),
                                "A machine of " + group + " is to be made of " + image + ", whose archives have Slurm "
                                        + OF_IMAGES.get(image) + "; the version of " + name + " is " + wanted
                                        + ". Nothing was changed.",
                                "Choose an image with Slurm " + wanted + ", or version: \""
                                        + Objects.requireNonNull(OF_IMAGES.get(image)) + "\".")))
                .toList();
    }

    private Optional<String> imageOf(Name group) {
        return Optional.ofNullable(site.machines().get(group))
                .flatMap(MachineGroup::image)
                .map(ImageName::value);
    }
}
