package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Digests;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Desired × observed × recorded → plan. A pure function of its input. */
public final class Planner {
    /**
     * @param lease as in site.yaml
     * @param owned this site's resources, as the provider observed them
     * @param removePackages leaving a role also removes its packages
     * @param observed by host; a host that does not exist yet, or is stopped, has no entry
     * @param silent hosts that should have answered, and why they did not
     * @param tasks the tasks files that this deepsite has of roles that were applied, as {@code <role>/<file>}
     */
    public record Input(
            Name site,
            Optional<LeaseTerms> lease,
            String tool,
            SiteState state,
            Desired desired,
            List<ObservedResource> owned,
            Map<String, ProbeAnswer> observed,
            Map<String, List<Diagnostic>> silent,
            UnknownResolver resolver,
            Set<String> tasks,
            boolean removePackages) {
        private Input knowing(Map<String, String> facts) {
            return new Input(
                    site,
                    lease,
                    tool,
                    state,
                    desired,
                    owned,
                    observed,
                    silent,
                    resolver.knowing(facts),
                    tasks,
                    removePackages);
        }
    }

    private final Input in;
    private final List<Step.OfResource> resources;

    private Planner(Input in, List<Step.OfResource> resources) {
        this.in = in;
        this.resources = resources;
    }

    public static Plan plan(Input in) {
        refuseForeignLineage(in.site(), in.owned(), in.state());
        var resources = new ResourceSteps(in.desired().design().resources(), in.owned(), in.state()).steps();
        Renumbered.refuse(in, resources);
        return new Planner(in.knowing(facts(in, resources)), resources).plan();
    }

    /** Facts of machines that do not change; changed ones are read after their change. */
    private static Map<String, String> facts(Input in, List<Step.OfResource> resources) {
        var reported = new TreeMap<String, HostFacts>();
        in.observed().forEach((host, answer) -> reported.put(host, answer.facts()));
        resources.stream()
                .filter(Step.OfResource::isMachine)
                .map(RoleSteps::host)
                .forEach(reported::remove);
        var facts = new TreeMap<>(Facts.of(in.desired().design().machines(), reported));
        var toBeMade = resources.stream()
                .filter(Step.OfResource::isMachine)
                .filter(step -> step.change() != Change.UPDATE)
                .map(RoleSteps::host)
                .collect(Collectors.toSet());
        in.desired().design().machines().stream()
                .filter(machine -> !toBeMade.contains(machine.name()))
                .forEach(machine ->
                        hostKey(in, machine).ifPresent(key -> facts.put(Facts.hostKey(machine.name()), key)));
        return facts;
    }

    /** A machine that is created, or not yet reachable since, may have another key than the recorded one. */
    private static Optional<String> hostKey(Input in, Machine machine) {
        return machine.resource().isPresent()
                ? Optional.ofNullable(in.state().hosts().get(machine.name())).map(RecordedHost::hostKey)
                : machine.hostKey().map(HostKey::parse).map(HostKey::line);
    }

    private Plan plan() {
        var roles = new RoleSteps(in, resources);
        var steps = new ArrayList<Step>(roles.withMachinesThatGo(resources));
        steps.addAll(roles.steps());
        var origin = new Plan.Origin(
                Plan.FORMAT,
                in.tool(),
                in.site().value(),
                in.state().serial() == 0 ? "" : in.state().lineage(),
                in.state().serial(),
                fingerprint());
        var lifetime = new Plan.Lifetime(
                in.lease().map(LeaseTerms::duration).map(span -> span.duration().toSeconds()),
                in.lease().flatMap(LeaseTerms::max).map(span -> span.duration().toSeconds()),
                retags());
        var drift = new DriftReport(
                        in.state(),
                        in.owned(),
                        in.observed(),
                        in.resolver(),
                        in.desired().contents(),
                        in.desired().contracts())
                .found();
        return new Plan(
                origin,
                lifetime,
                new Plan.Observed(
                        drift,
                        roles.silent(),
                        roles.unchanged(),
                        in.desired().design().bill()),
                machines(),
                in.desired().stages().stream().map(Plan.StageOrder::of).toList(),
                secrets(steps),
                steps,
                roles.barriers(),
                in.desired().proofs(),
                in.desired().contents());
    }

    /**
     * Refuses resources of a site of this name that this state did not make: the state was lost, or the site is another
     * team's.
     *
     * @throws Failure FOREIGN_LINEAGE
     */
    public static void refuseForeignLineage(Name site, List<ObservedResource> owned, SiteState state) {
        var foreign = owned.stream()
                .filter(seen -> !seen.tags().lineage().equals(state.lineage()))
                .map(ObservedResource::name)
                .toList();
        if (!foreign.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.FOREIGN_LINEAGE,
                    "The back-end holds " + String.join(", ", foreign) + " of a site named \"" + site
                            + "\", but this state did not make them. Nothing was touched.",
                    "If the state was lost, adopt them; if the site belongs to another team, choose another name.",
                    "deepsite adopt"));
        }
    }

    /**
     * Desired resources whose expiry tag differs from the site's lease; all of them if the lease is about to start. A
     * resource that only stays for its other users keeps its tag.
     */
    private List<ObservedResource> retags() {
        var recorded = Optional.ofNullable(in.state().lease());
        var wanted =
                in.desired().design().resources().stream().map(Resource::id).collect(Collectors.toSet());
        return in.owned().stream()
                .filter(seen -> seen.condition() != ObservedResource.Condition.HALF_MADE)
                .filter(seen -> wanted.contains(seen.id()))
                .filter(seen -> in.lease().isEmpty()
                        ? seen.tags().expiresAt().isPresent()
                        : recorded.isEmpty() || !seen.tags().expiresAt().equals(recorded.map(lease -> lease.ends())))
                .toList();
    }

    private SortedMap<String, Machine> machines() {
        var machines = new TreeMap<String, Machine>();
        in.desired().design().machines().forEach(machine -> machines.put(machine.name(), machine));
        return machines;
    }

    private List<Plan.SecretChange> secrets(List<Step> steps) {
        var changes = new ArrayList<Plan.SecretChange>();
        for (var name : in.desired().secrets()) {
            if (!in.resolver().secrets().containsKey(name)) {
                changes.add(new Plan.SecretChange(name, Change.CREATE));
            } else if (isRotated(name) && steps.stream().anyMatch(step -> Plan.bears(step, name))) {
                changes.add(new Plan.SecretChange(name, Change.UPDATE));
            }
        }
        return changes;
    }

    private boolean isRotated(String name) {
        var recorded = in.state().secrets().get(name);
        return recorded != null && !recorded.equals(in.resolver().fingerprints().get(name));
    }

    private String fingerprint() {
        var text = new StringBuilder(in.tool()).append('\n');
        in.desired().design().resources().stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .forEach(resource -> text.append(resource.id())
                        .append(' ')
                        .append(resource.lastingValues())
                        .append('\n'));
        for (Stage stage : in.desired().stages()) {
            stage.hosts()
                    .forEach(host -> text.append(stage.name())
                            .append(' ')
                            .append(host)
                            .append(' ')
                            .append(fingerprint(in, in.desired().contract(stage, host)))
                            .append('\n'));
        }
        in.desired().proofs().forEach(proof -> text.append(text(proof)).append('\n'));
        return Digests.sha256(text.toString());
    }

    /**
     * As the record prints itself: states hold fingerprints of this form. Itself it would generate code for that, for
     * longer than the rest of a fingerprint takes.
     */
    static String text(Plan.Proof proof) {
        return "Proof[cluster=" + proof.cluster() + ", kind=" + proof.kind() + ", host=" + proof.host() + ", body="
                + proof.body() + ", patienceSeconds=" + proof.patienceSeconds() + ", maxAgeSeconds="
                + proof.maxAgeSeconds() + "]";
    }

    static String fingerprint(Input in, Desired.RenderedRole rendered) {
        return in.resolver()
                .fingerprint(
                        rendered.contract(),
                        rendered.fingerprint(),
                        in.desired().contents());
    }

    static Optional<ProbeAnswer> observed(Input in, String host) {
        return Optional.ofNullable(in.observed().get(host));
    }
}
