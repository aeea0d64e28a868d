package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.PathName;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything apply needs, and all that it may do. The same input and observation give the same bytes: no clock, no
 * random, sorted.
 *
 * @param tool version of deepsite that made it; only the same version applies it
 * @param lineage of the state it was made from; empty without a state, for a lineage is random
 * @param serial of the state it was made from; apply refuses any other serial
 * @param leaseSeconds lifetime from the first apply, if the site has a lease
 * @param retags resources whose expiry tag does not match the site's lease (or its absence)
 * @param stages in order, with their hosts; variables are not kept
 * @param drift recorded against observed: what changed outside deepsite; shown only, not acted on by itself
 * @param silent unreachable hosts, and why; the plan's steps for them, and those that need these, are not run
 * @param unchanged hosts whose contracts are all satisfied
 * @param fingerprint of everything desired; the result of verify is recorded under it
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
        SortedMap<String, List<Diagnostic>> silent,
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
        silent = new TreeMap<>(silent);
        steps = List.copyOf(steps);
        proofs = List.copyOf(proofs);
        unchanged = List.copyOf(unchanged);
        requireMade(steps);
    }

    /** Only a machine created by this plan has nothing to lose. */
    private static void requireMade(List<Step> steps) {
        var made = steps.stream()
                .filter(step -> step.change() == Change.CREATE || step.change() == Change.REPLACE)
                .filter(step -> step instanceof Step.OfResource resource && resource.isMachine())
                .map(step -> RoleSteps.host((Step.OfResource) step))
                .collect(Collectors.toSet());
        for (var step : steps) {
            if (step instanceof Step.OfRole role && role.fresh() && !made.contains(role.host())) {
                throw new IllegalArgumentException(role.host() + " is not made by this plan");
            }
        }
    }

    /** @see Stage */
    public record StageOrder(
            String name, String role, List<String> hosts, int batch, List<String> needs, boolean everyHost) {
        public StageOrder {
            PathName.require("stage", name);
            PathName.require("role", role);
        }

        static StageOrder of(Stage stage) {
            return new StageOrder(
                    stage.name(), stage.role(), stage.hosts(), stage.batch(), stage.needs(), stage.everyHost());
        }
    }

    /** A secret that apply will generate, or that changed since it was last applied. */
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

    Plan withSteps(List<Step> next) {
        return new Plan(
                formatVersion,
                tool,
                site,
                lineage,
                serial,
                fingerprint,
                leaseSeconds,
                leaseMaxSeconds,
                retags,
                machines,
                stages,
                secrets,
                drift,
                silent,
                next,
                proofs,
                unchanged,
                contents);
    }

    public boolean isEmpty() {
        return steps.isEmpty() && retags.isEmpty() && silent.isEmpty();
    }

    /** Recorded resources that no longer exist: the state forgets them. */
    public List<ResourceId> gone() {
        return drift.stream()
                .filter(one -> one.host().isEmpty()
                        && one.differences().stream()
                                .anyMatch(difference -> difference.field().equals(DriftReport.EXISTS)))
                .map(one -> ResourceId.parse(one.item()))
                .toList();
    }

    /** Steps that put a secret on a host, or change it there. */
    public List<Step> bearers(String secret) {
        return steps.stream().filter(step -> bears(step, secret)).toList();
    }

    static boolean bears(Step step, String secret) {
        return step instanceof Step.OfRole role
                && role.contract().items().stream()
                        .anyMatch(item -> item instanceof Item.File file
                                && file.secrets().contains(secret)
                                && role.items().stream()
                                        .anyMatch(change -> change.id().equals(item.id())));
    }

    /** Needed facts that were unknown when the plan was made. */
    public List<Item.Unknown> unknowns() {
        return steps.stream()
                .flatMap(step -> step instanceof Step.OfRole role ? Stream.of(role.contract()) : Stream.empty())
                .flatMap(contract -> Stream.concat(
                        contract.items().stream().flatMap(item -> Unknowns.in(item).stream()),
                        contract.actions().stream().flatMap(action -> Unknowns.in(action).stream())))
                .distinct()
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
