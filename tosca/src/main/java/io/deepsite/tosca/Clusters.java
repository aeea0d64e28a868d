package io.deepsite.tosca;

import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.Template.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Front ends and workers become clusters. */
final class Clusters {
    /** The name of a site's cluster of Slurm. */
    static final String SLURM = "hpc";

    private static final String INDIGO = "tosca.nodes.indigo.";

    private final Functions functions;
    private final SiteText text;
    private final Map<String, String> groups;
    private final ElasticGroups elastic;
    private final List<Left> left;

    /** @param groups names of machine groups by those of their nodes */
    Clusters(Functions functions, SiteText text, Map<String, String> groups, ElasticGroups elastic, List<Left> left) {
        this.elastic = elastic;
        this.functions = functions;
        this.text = text;
        this.groups = groups;
        this.left = left;
    }

    /** Returns the names of the nodes that are in a cluster. */
    Set<String> add(Collection<Node> nodes) {
        var mapped = new HashSet<String>();
        slurm(nodes, mapped);
        kubernetes(nodes, mapped);
        mesos(nodes, mapped);
        return mapped;
    }

    private void slurm(Collection<Node> nodes, Set<String> mapped) {
        var fronts = of(nodes, type -> type.startsWith(INDIGO + "LRMS.FrontEnd.Slurm"));
        var workers = of(nodes, type -> type.startsWith(INDIGO + "LRMS.WorkerNode.Slurm"));
        if (!hasFront("slurm", fronts, workers, mapped)) {
            return;
        }
        var front = fronts.getFirst();
        var compute = hosts(workers);
        if (compute.isEmpty()) {
            left.add(new Left(
                    front.name() + " (" + front.type() + ")", front.value().line(), "It has no workers.", true));
            return;
        }
        var keys = new ArrayList<>(List.of(
                "controller: " + hosts(List.of(front)).getFirst(),
                "compute: " + list(compute),
                "accounting: " + isOn(front, "dbd"),
                "home: {shared: true}"));
        keys.addAll(elastic(workers));
        text.cluster(SLURM, "slurm", keys);
        version(front, "Slurm is that of the image's distribution.");
        limits(workers.stream()
                .filter(worker -> worker.required("host").stream()
                        .noneMatch(host -> elastic.of(host).isPresent()))
                .toList());
    }

    private List<String> elastic(List<Node> workers) {
        var keys = new ArrayList<String>();
        workers.stream()
                .flatMap(worker -> worker.required("host").stream())
                .distinct()
                .filter(groups::containsKey)
                .forEach(host -> elastic.of(host)
                        .flatMap(ElasticGroups.Group::keys)
                        .ifPresent(limits -> keys.add("  " + groups.get(host) + ": {" + limits + "}")));
        if (!keys.isEmpty()) {
            keys.addFirst("elastic:  # beyond count, while jobs need them: by deepsite elastic, or by the service");
        }
        return keys;
    }

    private void kubernetes(Collection<Node> nodes, Set<String> mapped) {
        var fronts = of(nodes, type -> type.startsWith(INDIGO + "LRMS.FrontEnd.Kubernetes"));
        var workers = of(nodes, type -> type.startsWith(INDIGO + "LRMS.WorkerNode.Kubernetes"));
        if (!hasFront("kubernetes", fronts, workers, mapped)) {
            return;
        }
        var front = fronts.getFirst();
        var usual = text.usual("kubernetes", "version");
        var asked = functions
                .resolve(front, front.properties().get("version"))
                .text()
                .orElse(usual);
        boolean fits = asked.matches("1\\.(2[4-9]|[3-9][0-9])\\.[0-9]+");
        text.cluster(
                "k8s",
                "kubernetes",
                List.of(
                        "version: " + (fits ? asked : usual),
                        "controlPlane: " + hosts(List.of(front)).getFirst(),
                        "workers: " + list(hosts(workers))));
        if (!fits) {
            version(front, "The version is " + usual + ": repositories have nothing before 1.24.");
        }
        options(front, Set.of("version", "admin_token", "admin_username", "wn_ips", "nvidia_support"));
        limits(workers);
    }

    private void mesos(Collection<Node> nodes, Set<String> mapped) {
        var masters =
                of(nodes, type -> type.equals(INDIGO + "MesosMaster") || type.equals(INDIGO + "LRMS.FrontEnd.Mesos"));
        var agents =
                of(nodes, type -> type.equals(INDIGO + "MesosSlave") || type.equals(INDIGO + "LRMS.WorkerNode.Mesos"));
        var balancers = of(nodes, type -> type.equals(INDIGO + "MesosLoadBalancer"));
        if (!hasFront("mesos", masters, agents, mapped)) {
            return;
        }
        balancers.forEach(node -> mapped.add(node.name()));
        var keys = new ArrayList<String>();
        keys.add("masters: " + hosts(masters).getFirst());
        keys.add("agents: " + list(hosts(agents)));
        keys.add("install:  # your own builds: deepsite ships none of Mesos, Marathon and Chronos");
        keys.add("  tarball: " + text.usual("mesos", "  tarball"));
        keys.add("  sha256: " + text.usual("mesos", "  sha256"));
        if (!balancers.isEmpty()) {
            keys.add("# loadBalancers: " + list(hosts(balancers)) + "  # with marathon");
        }
        keys.add("# marathon: {tarball: \"https://files.example.org/marathon.tgz\", sha256: …}");
        keys.add("# chronos: {jar: \"https://files.example.org/chronos-3.0.2-1.jar\", sha256: …}");
        text.cluster("tasks", "mesos", keys);
        left.add(new Left(
                masters.getFirst().name() + ": Mesos, Marathon and Chronos",
                masters.getFirst().value().line(),
                "Archives that you build have to be named below clusters.tasks; passwords are generated.",
                false));
        limits(agents);
    }

    /** Without a front end there is no cluster of these workers; a second one would be another site's. */
    private boolean hasFront(String kind, List<Node> fronts, List<Node> workers, Set<String> mapped) {
        if (fronts.isEmpty() || hosts(List.of(fronts.getFirst())).isEmpty()) {
            return false;
        }
        text.front(hosts(List.of(fronts.getFirst())).getFirst());
        workers.forEach(worker -> mapped.add(worker.name()));
        fronts.stream()
                .skip(1)
                .forEach(node -> left.add(new Left(
                        node.name() + " (" + node.type() + ")",
                        node.value().line(),
                        "The site has one cluster of kind " + kind + ".",
                        true)));
        fronts.forEach(node -> mapped.add(node.name()));
        return true;
    }

    /** What CLUES and the INDIGO orchestrator may grow and shrink a cluster to. */
    private void limits(List<Node> workers) {
        for (var worker : workers) {
            var limits = functions.resolve(worker, worker.capability("wn"));
            if (limits.get("max_instances").text().isPresent()) {
                left.add(new Left(
                        worker.name() + ": between "
                                + limits.get("min_instances").text().orElse("0") + " and "
                                + limits.get("max_instances").text().orElse("?") + " machines",
                        worker.capability("wn").line(),
                        "The number stays until `deepsite scale` changes it.",
                        true));
            }
        }
    }

    private boolean isOn(Node node, String property) {
        return functions
                .resolve(node, node.properties().get(property))
                .text()
                .filter("true"::equals)
                .isPresent();
    }

    private void version(Node node, String why) {
        functions
                .resolve(node, node.properties().get("version"))
                .text()
                .ifPresent(version -> left.add(new Left(
                        node.name() + ": version " + version,
                        node.properties().get("version").line(),
                        why,
                        false)));
    }

    /** Properties that switch something on which deepsite does not install. */
    private void options(Node node, Set<String> known) {
        node.properties().entries().forEach((name, value) -> {
            var asked = functions.resolve(node, value).text().orElse("");
            if (!known.contains(name) && !asked.isEmpty() && !asked.equals("false") && !asked.equals("none")) {
                left.add(new Left(
                        node.name() + ": " + name + " " + asked,
                        value.line(),
                        "deepsite installs Kubernetes itself; add to it with Helm or kubectl.",
                        true));
            }
        });
    }

    private static List<Node> of(Collection<Node> nodes, Predicate<String> type) {
        return nodes.stream().filter(node -> type.test(node.type())).toList();
    }

    /** The machine groups on which they run. */
    private List<String> hosts(List<Node> nodes) {
        return nodes.stream()
                .flatMap(node -> node.required("host").stream())
                .filter(groups::containsKey)
                .map(groups::get)
                .distinct()
                .toList();
    }

    private static String list(List<String> names) {
        return "[" + String.join(", ", names) + "]";
    }
}
