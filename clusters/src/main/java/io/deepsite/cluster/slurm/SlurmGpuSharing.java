package io.deepsite.cluster.slurm;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Cards that several jobs share at a time. */
record SlurmGpuSharing(Slurm slurm) {
    /** Kinds of shares that Slurm counts, in a fixed order. */
    List<String> kinds() {
        return slurm.gpuSharing().values().stream()
                .map(GpuSharing::kind)
                .distinct()
                .sorted()
                .toList();
    }

    /** A change of any needs slurmd to start again. */
    List<String> ofGroups() {
        return slurm.gpuSharing().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue().kind() + ":"
                        + entry.getValue().shares())
                .toList();
    }

    /** Of the cards of a machine; as gres.conf takes them. */
    List<Map<String, Object>> cards(Machine machine) {
        var sharing = of(machine);
        return machine.gpus().stream()
                .map(gpu -> {
                    var card = new LinkedHashMap<String, Object>();
                    card.put("model", SlurmConfiguration.type(gpu.model()));
                    card.put("file", gpu.device());
                    card.put("shared_by", sharing.map(GpuSharing::kind).orElse(""));
                    card.put("shares", sharing.map(GpuSharing::shares).orElse(0));
                    return (Map<String, Object>) card;
                })
                .toList();
    }

    /** What every node has before slurm.conf names it: Slurm drains a node without its Prolog, and fails tasks without theirs. */
    Optional<Stage> beforeController(Name cluster, List<Machine> machines) {
        return kinds().contains("mps")
                ? Optional.of(ClusterStages.stage(
                        cluster,
                        "slurm_mps",
                        SlurmKind.nodes(slurm, machines),
                        _ -> Map.of(),
                        List.of(cluster + ".munge")))
                : Optional.empty();
    }

    /** On each node where one processor for each of the proof's jobs is there. */
    Optional<Acceptance> acceptance(Name cluster, String controller, List<Machine> machines) {
        var nodes = SlurmKind.nodes(slurm, machines).stream()
                .filter(node -> of(node).isPresent() && node.cpus() >= processors(node))
                .map(this::proof)
                .toList();
        return nodes.isEmpty()
                ? Optional.empty()
                : Optional.of(new Acceptance(
                        cluster.value(),
                        slurm.kind(),
                        controller,
                        "slurm/verify-gpu-sharing.sh.j2",
                        new TreeMap<>(Map.of(
                                "slurm_verify_user", SiteStages.VERIFY_USER, "slurm_verify_shared_gpus", nodes))));
    }

    /** Two jobs share a card; on a node with others, one more job has those. */
    private static int processors(Machine node) {
        return node.gpus().size() > 1 ? 3 : 2;
    }

    private Map<String, Object> proof(Machine node) {
        var sharing = of(node).orElseThrow();
        int first = sharing.shares() / 2;
        return Map.of(
                "node",
                node.name(),
                "kind",
                sharing.kind(),
                "other_cards",
                node.gpus().size() - 1,
                "first",
                first,
                "second",
                sharing.shares() - first,
                "percent",
                sharing.kind().equals("mps") ? first * 100 / sharing.shares() : 0);
    }

    private Optional<GpuSharing> of(Machine machine) {
        return machine.gpus().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(slurm.gpuSharing().get(machine.group()));
    }
}
