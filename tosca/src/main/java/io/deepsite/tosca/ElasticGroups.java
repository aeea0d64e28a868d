package io.deepsite.tosca;

import io.deepsite.site.Span;
import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.Template.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Machines that CLUES or the INDIGO orchestrator make and remove with the jobs become elastic groups of Slurm. */
final class ElasticGroups {
    /** deepsite's least. */
    private static final int LEAST_IDLE = 30;

    private static final Set<String> KEPT_FREE = Set.of("EXTRA_NODES_FREE", "EXTRA_SLOTS_FREE");

    private final Functions functions;
    private final Numbers numbers;
    private final List<Left> left;
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Set<String> managers = new HashSet<>();

    ElasticGroups(Functions functions, Numbers numbers, List<Left> left) {
        this.functions = functions;
        this.numbers = numbers;
        this.left = left;
    }

    /**
     * The machines of one Compute node.
     *
     * @param count of those that are always there; empty: as the node says
     * @param keys of the elastic group; empty if it is none
     */
    record Group(Optional<String> count, Optional<String> keys) {}

    /**
     * @param refused why groups cannot be elastic, by the names of their Compute nodes
     * @return this
     */
    ElasticGroups read(Map<String, Node> nodes, Map<String, String> refused) {
        for (var manager : nodes.values()) {
            if (manager.type().endsWith("ElasticCluster")) {
                managers.add(manager.name());
                manager(manager, nodes, refused);
            }
        }
        return this;
    }

    /** Names of the nodes that ask for such machines. */
    Set<String> managers() {
        return managers;
    }

    /** By the name of a Compute node; empty for one whose machines nothing adds or removes. */
    Optional<Group> of(String compute) {
        return Optional.ofNullable(groups.get(compute));
    }

    private void manager(Node manager, Map<String, Node> nodes, Map<String, String> refused) {
        var workers = manager.required("wn").stream()
                .filter(nodes::containsKey)
                .map(nodes::get)
                .toList();
        var slurm = workers.stream()
                .filter(worker -> worker.type().startsWith("tosca.nodes.indigo.LRMS.WorkerNode.Slurm"))
                .toList();
        if (slurm.isEmpty()) {
            left.add(new Left(
                    what(manager),
                    manager.value().line(),
                    "Only clusters of Slurm have elastic nodes"
                            + workers.stream()
                                    .findFirst()
                                    .map(worker -> ", and this one is of "
                                            + worker.type()
                                                    .substring(worker.type().lastIndexOf('.') + 1))
                                    .orElse("")
                            + "; `deepsite scale GROUP=N` changes the number of its machines.",
                    true));
            return;
        }
        var idle = idle(manager);
        for (var worker : slurm) {
            for (var host : worker.required("host")) {
                var compute = nodes.get(host);
                if (compute != null && !groups.containsKey(host)) {
                    groups.put(host, group(worker, compute, idle, refused));
                }
            }
        }
        if (groups.values().stream().anyMatch(group -> group.keys().isPresent())) {
            left.add(new Left(
                    what(manager),
                    manager.value().line(),
                    "`deepsite elastic`, or the service, makes and removes the machines from outside: it needs none of these"
                            + " tokens, and nothing on the cluster.",
                    false));
        }
        options(manager);
    }

    private Group group(Node worker, Node compute, Optional<Span> idle, Map<String, String> refused) {
        var limits = worker.capability("wn");
        var most = numbers.known(worker, limits.get("max_instances"));
        if (most.isEmpty()) {
            if (limits.get("max_instances").isNone()) {
                left.add(new Left(
                        worker.name() + ": max_instances",
                        worker.value().line(),
                        "The template names no largest number of machines, so the number stays until `deepsite scale`"
                                + " changes it.",
                        true));
            } else {
                numbers.unset(worker, limits.get("max_instances"), "max_instances");
            }
            return new Group(Optional.empty(), Optional.empty());
        }
        // By the standard, Scalable has one at least.
        int asked = numbers.known(worker, limits.get("min_instances")).orElse(1);
        int least = Math.max(1, asked);
        var between = worker.name() + ": between " + asked + " and " + most.get() + " machines";
        if (refused.containsKey(compute.name())) {
            left.add(new Left(
                    between,
                    limits.line(),
                    refused.get(compute.name()) + " The number stays until `deepsite scale` changes it.",
                    true));
            return new Group(Optional.empty(), Optional.empty());
        }
        var count = asked == least
                ? numbers.written(worker, limits.get("min_instances"), "min_instances")
                        .orElse("1")
                : "1";
        if (most.get() <= least) {
            left.add(new Left(
                    between,
                    limits.line(),
                    "The largest number is always there: deepsite proves the cluster on it."
                            + functions
                                    .inputOf(limits.get("max_instances"))
                                    .map(input -> " For more with the jobs: --input " + input + "=N.")
                                    .orElse(""),
                    false));
            return new Group(Optional.of(count), Optional.empty());
        }
        if (asked == 0) {
            left.add(
                    new Left(between, limits.line(), "One is always there: deepsite proves the cluster on it.", false));
        }
        started(compute, least);
        var keys = new ArrayList<String>();
        numbers.written(worker, limits.get("max_instances"), "max_instances").ifPresent(max -> keys.add("max: " + max));
        idle.ifPresent(time -> keys.add("idle: " + time));
        return new Group(Optional.of(count), Optional.of(String.join(", ", keys)));
    }

    /** CLUES begins with as many as the template says, and then removes them, too. */
    private void started(Node compute, int least) {
        var scalable = compute.capability("scalable");
        numbers.known(compute, scalable.get("count"))
                .filter(count -> count > least)
                .ifPresent(count -> left.add(new Left(
                        compute.name() + ": count " + count,
                        scalable.line(),
                        "Always there are " + least + "; the others come as soon as jobs need them.",
                        false)));
    }

    /** Seconds in one of CLUES' options; nothing where the template leaves it to CLUES. */
    private Optional<Span> idle(Node manager) {
        return option(manager, "IDLE_TIME")
                .flatMap(value -> numbers.known(manager, value))
                .map(seconds -> {
                    if (seconds < LEAST_IDLE) {
                        left.add(new Left(
                                manager.name() + ": IDLE_TIME " + seconds,
                                manager.value().line(),
                                "A machine goes after " + LEAST_IDLE + " s without a job, not earlier.",
                                false));
                    }
                    return new Span(Duration.ofSeconds(Math.max(LEAST_IDLE, seconds)));
                });
    }

    private void options(Node manager) {
        for (var name : KEPT_FREE) {
            option(manager, name)
                    .flatMap(value -> numbers.known(manager, value))
                    .filter(free -> free > 0)
                    .ifPresent(free -> left.add(new Left(
                            manager.name() + ": " + name + " " + free,
                            manager.value().line(),
                            "No machine waits for jobs in advance: a job waits while its machine is made.",
                            true)));
        }
        functions
                .resolve(manager, manager.properties().get("hybrid"))
                .text()
                .filter("true"::equals)
                .ifPresent(_ -> left.add(new Left(
                        manager.name() + ": hybrid",
                        manager.properties().get("hybrid").line(),
                        "All machines of a site are at one provider.",
                        true)));
    }

    private static Optional<Value> option(Node manager, String name) {
        return manager.properties().get("config_options").items().stream()
                .filter(each ->
                        each.get("section").text().filter("scheduling"::equals).isPresent())
                .filter(each -> each.get("option").text().filter(name::equals).isPresent())
                .map(each -> each.get("value"))
                .findFirst();
    }

    private static String what(Node node) {
        return node.name() + " (" + node.type() + ")";
    }
}
