package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.render.ContractJson;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Name;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Desired × observed × recorded → plan. A pure function of its input. */
public final class Planner {
    /**
     * @param lease as site.yaml has it
     * @param owned what the provider showed of this site
     * @param observed by host; a host that is to be made, or is stopped, has no entry
     * @param tasks the tasks files of the roles that this deepsite has, as {@code <role>/<file>}
     */
    public record Input(
            Name site,
            Optional<LeaseTerms> lease,
            String tool,
            SiteState state,
            Desired desired,
            List<ObservedResource> owned,
            Map<String, ProbeAnswer> observed,
            Closing closing,
            Set<String> tasks) {}

    private final Input in;

    private Planner(Input in) {
        this.in = in;
    }

    public static Plan plan(Input in) {
        return new Planner(in).plan();
    }

    private Plan plan() {
        refuseForeignLineage(in.site(), in.owned(), in.state());
        var resources = new ResourceSteps(
                        in.desired().design().resources(),
                        in.owned(),
                        in.state().resources().keySet())
                .steps();
        var roles = new RoleSteps(in, resources);
        var steps = new ArrayList<Step>(roles.withMachinesThatGo(resources));
        steps.addAll(roles.steps());
        return new Plan(
                Plan.FORMAT,
                in.tool(),
                in.site().value(),
                in.state().serial() == 0 ? "" : in.state().lineage(),
                in.state().serial(),
                fingerprint(),
                in.lease().map(LeaseTerms::duration).map(span -> span.duration().toSeconds()),
                in.lease().flatMap(LeaseTerms::max).map(span -> span.duration().toSeconds()),
                retags(),
                machines(),
                in.desired().stages().stream().map(Plan.StageOrder::of).toList(),
                secrets(),
                new DriftReport(
                                in.state(),
                                in.owned(),
                                in.observed(),
                                in.closing(),
                                in.desired().contents())
                        .found(),
                steps,
                in.desired().proofs(),
                roles.unchanged(),
                in.desired().contents());
    }

    /**
     * Things of a site of the same name that this state did not make: it lost its memory, or the site is somebody else's.
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
                    "If the state was lost, take them over; if the site is somebody else's, choose another name.",
                    "deepsite adopt"));
        }
    }

    /**
     * What the site wants and what carries another end than the site has; all of it, where the lease is about to begin.
     * A thing that only stays because others use it keeps its tag.
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

    private List<Plan.SecretChange> secrets() {
        var rotated = rotated();
        return in.desired().secrets().stream()
                .flatMap(name -> !in.closing().secrets().containsKey(name)
                        ? Stream.of(new Plan.SecretChange(name, Change.CREATE))
                        : rotated.contains(name)
                                ? Stream.of(new Plan.SecretChange(name, Change.UPDATE))
                                : Stream.empty())
                .toList();
    }

    /** Where nothing else of a role changed, another content of a file with one secret comes from that secret. */
    private Set<String> rotated() {
        var rotated = new TreeSet<String>();
        for (var stage : in.desired().stages()) {
            for (var host : stage.hosts()) {
                var desired = in.desired().contract(stage, host);
                var recorded = in.state().hosts().get(host);
                var role = recorded == null ? null : recorded.roles().get(stage.role());
                if (role != null && role.fingerprint().equals(desired.fingerprint())) {
                    var applied =
                            Set.copyOf(ContractJson.contract(role.contract()).items());
                    desired.contract().items().stream()
                            .flatMap(item -> item instanceof Item.File file ? Stream.of(file) : Stream.empty())
                            .filter(file -> file.secrets().size() == 1)
                            .filter(file -> in.closing().missing(file).isEmpty())
                            .filter(file -> !applied.contains(
                                    in.closing().recorded(file, in.desired().contents())))
                            .forEach(file -> rotated.addAll(file.secrets()));
                }
            }
        }
        return rotated;
    }

    private String fingerprint() {
        var text = new StringBuilder(in.tool()).append('\n');
        in.desired().design().resources().stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .forEach(resource -> text.append(resource.id())
                        .append(' ')
                        .append(resource.values())
                        .append('\n'));
        for (Stage stage : in.desired().stages()) {
            stage.hosts()
                    .forEach(host -> text.append(stage.name())
                            .append(' ')
                            .append(host)
                            .append(' ')
                            .append(in.desired().contract(stage, host).fingerprint())
                            .append('\n'));
        }
        in.desired().proofs().forEach(proof -> text.append(proof).append('\n'));
        return Digests.sha256(text.toString());
    }

    static Optional<ProbeAnswer> observed(Input in, String host) {
        return Optional.ofNullable(in.observed().get(host));
    }
}
