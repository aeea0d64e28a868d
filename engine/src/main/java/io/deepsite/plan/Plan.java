package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Item;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Bill;
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
 * @param stages in order, with their hosts; variables are not kept
 * @param barriers that steps need beside single steps
 */
public record Plan(
        Origin origin,
        Lifetime lifetime,
        Observed observed,
        SortedMap<String, Machine> machines,
        List<StageOrder> stages,
        List<SecretChange> secrets,
        List<Step> steps,
        Barriers barriers,
        List<Proof> proofs,
        Contents contents) {

    public static final int FORMAT = 2;

    public Plan {
        machines = new TreeMap<>(machines);
        stages = List.copyOf(stages);
        secrets = List.copyOf(secrets);
        steps = List.copyOf(steps);
        proofs = List.copyOf(proofs);
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

    /**
     * What it was made from, and by what.
     *
     * @param tool version of deepsite that made it; another one refuses it
     * @param lineage of the state it was made from; empty while there is none, for a lineage is random
     * @param serial of the state it was made from; another serial refuses it
     * @param fingerprint of everything desired; verify is remembered under it
     */
    public record Origin(
            int formatVersion, String tool, String site, String lineage, long serial, String fingerprint) {}

    /**
     * How long the site lives.
     *
     * @param leaseSeconds life from the first apply, where the site has a lease
     * @param retags resources whose tag does not carry the end of the lease that the site has (or has no more)
     */
    public record Lifetime(Optional<Long> leaseSeconds, Optional<Long> leaseMaxSeconds, List<ObservedResource> retags) {
        public Lifetime {
            retags = List.copyOf(retags);
        }
    }

    /**
     * What hosts and back-end showed beside the changes.
     *
     * @param drift recorded against observed: what changed behind our back; told, not acted on by itself
     * @param silent hosts that did not answer, and why; their steps are not done, nor the steps that need them
     * @param unchanged hosts whose contracts all hold
     */
    public record Observed(
            List<Drift> drift, SortedMap<String, List<Diagnostic>> silent, List<String> unchanged, Bill bill) {
        public Observed {
            drift = List.copyOf(drift);
            silent = new TreeMap<>(silent);
            unchanged = List.copyOf(unchanged);
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
                    stage.name(),
                    stage.role(),
                    List.copyOf(stage.hosts()),
                    stage.batch(),
                    stage.needs(),
                    stage.everyHost());
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

    public String tool() {
        return origin.tool;
    }

    public String site() {
        return origin.site;
    }

    public String lineage() {
        return origin.lineage;
    }

    public long serial() {
        return origin.serial;
    }

    public String fingerprint() {
        return origin.fingerprint;
    }

    public Optional<Long> leaseSeconds() {
        return lifetime.leaseSeconds;
    }

    public Optional<Long> leaseMaxSeconds() {
        return lifetime.leaseMaxSeconds;
    }

    public List<ObservedResource> retags() {
        return lifetime.retags;
    }

    public List<Drift> drift() {
        return observed.drift;
    }

    public SortedMap<String, List<Diagnostic>> silent() {
        return observed.silent;
    }

    public List<String> unchanged() {
        return observed.unchanged;
    }

    public Bill bill() {
        return observed.bill;
    }

    public Plan withSteps(List<Step> next) {
        return new Plan(origin, lifetime, observed, machines, stages, secrets, next, barriers, proofs, contents);
    }

    public boolean isEmpty() {
        return steps.isEmpty() && retags().isEmpty() && silent().isEmpty();
    }

    /** Recorded resources that no longer exist: the state forgets them. */
    public List<ResourceId> gone() {
        return drift().stream()
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
