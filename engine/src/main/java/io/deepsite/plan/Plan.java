package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything apply needs, and all that it may do. The same input and observation give the same bytes: no clock, no
 * random, sorted.
 *
 * @param tool version of deepsite that made it; another one refuses it
 * @param lineage of the state it was made from; empty while there is none, for a lineage is random
 * @param serial of the state it was made from; another serial refuses it
 * @param leaseSeconds life from the first apply, where the site has a lease
 * @param retags resources whose tag does not carry the end of the lease that the site has (or has no more)
 * @param stages in order, with their hosts; variables are not kept
 * @param drift recorded against observed: what changed behind our back; told, not acted on by itself
 * @param unchanged hosts whose contracts all hold
 * @param fingerprint of everything desired; verify is remembered under it
 */
public record Plan(
        int formatVersion,
        String tool,
        String site,
        String lineage,
        long serial,
        String fingerprint,
        Optional<Long> leaseSeconds,
        Optional<Long> leaseMaxSeconds,
        List<ObservedResource> retags,
        SortedMap<String, Machine> machines,
        List<StageOrder> stages,
        List<SecretChange> secrets,
        List<Drift> drift,
        List<Step> steps,
        List<Proof> proofs,
        List<String> unchanged,
        Contents contents) {

    public static final int FORMAT = 1;

    public Plan {
        machines = new TreeMap<>(machines);
        retags = List.copyOf(retags);
        stages = List.copyOf(stages);
        secrets = List.copyOf(secrets);
        drift = List.copyOf(drift);
        steps = List.copyOf(steps);
        proofs = List.copyOf(proofs);
        unchanged = List.copyOf(unchanged);
    }

    /** @see Stage */
    public record StageOrder(
            String name, String role, List<String> hosts, int batch, List<String> needs, boolean everyHost) {
        static StageOrder of(Stage stage) {
            return new StageOrder(
                    stage.name(), stage.role(), stage.hosts(), stage.batch(), stage.needs(), stage.everyHost());
        }
    }

    /** A secret that apply will make, or that is another since the last apply. */
    public record SecretChange(String name, Change change) {}

    /** @param role empty for a resource; then item is its id */
    public record Drift(String host, String role, String item, List<Item.Difference> differences) {}

    /**
     * An acceptance script, rendered.
     *
     * @param body key of the script in the contents
     * @param patienceSeconds longest wait of one acceptance job
     * @param maxAgeSeconds oldest green proof that still counts
     */
    public record Proof(
            String cluster, String kind, String host, String body, long patienceSeconds, long maxAgeSeconds) {}

    public boolean isEmpty() {
        return steps.isEmpty() && retags.isEmpty();
    }

    /** Resources that are recorded and not there any more: what the state says of them is forgotten. */
    public List<ResourceId> gone() {
        return drift.stream()
                .filter(one -> one.host().isEmpty()
                        && one.differences().stream()
                                .anyMatch(difference -> difference.field().equals(DriftReport.EXISTS)))
                .map(one -> ResourceId.parse(one.item()))
                .toList();
    }

    public SortedSet<Consent> consents() {
        var all = new TreeSet<Consent>();
        steps.forEach(step -> all.addAll(step.consents()));
        return all;
    }

    public int count(Change change) {
        return (int) steps.stream().filter(step -> step.change() == change).count();
    }
}
