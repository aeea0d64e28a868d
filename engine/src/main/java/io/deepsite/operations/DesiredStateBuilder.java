package io.deepsite.operations;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import io.deepsite.plan.Desired;
import io.deepsite.plan.FormerUsers;
import io.deepsite.plan.Plan;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Survey;
import io.deepsite.render.ContractClash;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** From the model of a site and its design on a back-end to everything as it shall be. */
final class DesiredStateBuilder {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final Site site;
    private final SiteStages stages;
    private final DeepsiteHome home;
    private final Map<String, SortedMap<String, Integer>> accounts;

    /** @param accounts that deepsite made, by host; see {@link FormerUsers#accounts} */
    DesiredStateBuilder(
            Site site, ClusterKinds kinds, DeepsiteHome home, Map<String, SortedMap<String, Integer>> accounts) {
        this.site = site;
        this.stages = new SiteStages(kinds, site);
        this.home = home;
        this.accounts = accounts;
    }

    /** For the site as it is recorded. */
    static DesiredStateBuilder of(SiteContext context, SiteState state) {
        return new DesiredStateBuilder(
                context.site(), context.runtime().kinds(), context.runtime().home(), FormerUsers.accounts(state));
    }

    /** What site.yaml asks of a back-end as it was seen; looks at hosts whose size only they can tell. */
    static Desired on(SiteContext context, Survey survey) {
        var state = context.state();
        try (var inspector = context.inspector()) {
            var measured = inspector.measured(context.compile(survey), state);
            return of(context, state).from(measured.design(), context.keptRendering());
        }
    }

    /** What site.yaml asks of machines whose size is known. */
    static Desired of(SiteContext context, Design design) {
        return of(context, context.state()).from(design, context.keptRendering());
    }

    /**
     * Renders everything, only to find what is wrong with it.
     *
     * @throws Failure with the first faults
     */
    void check(Design design) {
        var all = stages.stages(design.machines(), design.buses(), accounts);
        var acceptances = stages.acceptance(design.machines());
        var templates = new TemplateRenderer(home);
        var contracts = render(templates, design.machines(), all, ContractRenderer.Rendered::contract);
        refuseClashes(contracts, contract -> contract);
        scripts(templates, acceptances);
    }

    /** Renders these stages in place of the site's own. */
    Desired from(Design design, Function<List<Machine>, List<Stage>> others) {
        var all = others.apply(design.machines());
        return desired(design, all, List.of(), render(design.machines(), all, List.of()));
    }

    /** Renders what has changed since it was kept. */
    Desired from(Design design, KeptRendering kept) {
        var all = stages.stages(design.machines(), design.buses(), accounts);
        var acceptances = stages.acceptance(design.machines());
        var key = kept.key(all, design.machines(), acceptances);
        return desired(design, all, acceptances, kept.get(key, () -> render(design.machines(), all, acceptances)));
    }

    private Desired desired(
            Design design, List<Stage> stages, List<Acceptance> acceptances, KeptRendering.Kept rendered) {
        return new Desired(
                design,
                stages,
                rendered.contracts(),
                proofs(acceptances, rendered.scripts()),
                new Contents(rendered.texts()));
    }

    private KeptRendering.Kept render(List<Machine> machines, List<Stage> stages, List<Acceptance> acceptances) {
        var templates = new TemplateRenderer(home);
        var texts = new ConcurrentSkipListMap<String, String>();
        var contracts = render(templates, machines, stages, role -> {
            texts.putAll(role.texts());
            return new Desired.RenderedRole(role.contract(), role.fingerprint());
        });
        refuseClashes(contracts, Desired.RenderedRole::contract);
        var scripts = scripts(templates, acceptances);
        scripts.forEach(script -> texts.put(Digests.sha256(script), script));
        return new KeptRendering.Kept(
                contracts, scripts.stream().map(Digests::sha256).toList(), texts);
    }

    /**
     * By stage, then by host.
     *
     * @param use makes what is wanted of a role on a host; called on several threads
     */
    private <T> Map<String, Map<String, T>> render(
            TemplateRenderer templates,
            List<Machine> machines,
            List<Stage> stages,
            Function<ContractRenderer.Rendered, T> use) {
        var roles = new ContractRenderer(home, templates);
        var scope = new SiteScope(machines);
        var byName = machines.stream().collect(Collectors.toMap(Machine::name, machine -> machine));
        var rendered = Fanout.each(
                CORES,
                byName.keySet(),
                host -> rendered(roles, stages, Objects.requireNonNull(byName.get(host)), scope, use));
        var byStage = new LinkedHashMap<String, Map<String, T>>();
        for (var stage : stages) {
            var hosts = new LinkedHashMap<String, T>();
            for (var host : stage.hosts()) {
                var all = rendered.get(host);
                if (all == null) {
                    throw new IllegalStateException(stage.name() + " names " + host + ", which is no machine");
                }
                hosts.put(host, Objects.requireNonNull(all.orFail().get(stage.name())));
            }
            byStage.put(stage.name(), hosts);
        }
        return byStage;
    }

    /** By stage. */
    private static <T> Map<String, T> rendered(
            ContractRenderer roles,
            List<Stage> stages,
            Machine machine,
            SiteScope scope,
            Function<ContractRenderer.Rendered, T> use) {
        var rendered = new LinkedHashMap<String, T>();
        for (var stage : stages) {
            var variables = stage.variables().get(machine.name());
            if (variables != null) {
                rendered.put(stage.name(), use.apply(roles.render(stage.role(), machine, scope, variables)));
            }
        }
        return rendered;
    }

    private static List<String> scripts(TemplateRenderer templates, List<Acceptance> acceptances) {
        return acceptances.stream()
                .map(acceptance -> templates.render(acceptance.template(), acceptance.variables()))
                .toList();
    }

    private List<Plan.Proof> proofs(List<Acceptance> acceptances, List<String> scripts) {
        var proofs = new ArrayList<Plan.Proof>();
        for (int i = 0; i < scripts.size(); i++) {
            var acceptance = acceptances.get(i);
            proofs.add(new Plan.Proof(
                    acceptance.cluster(),
                    acceptance.kind(),
                    acceptance.host(),
                    scripts.get(i),
                    site.verify().patience().duration().toSeconds(),
                    site.verify().maxAge().duration().toSeconds()));
        }
        return proofs;
    }

    private static <T> void refuseClashes(Map<String, Map<String, T>> rendered, Function<T, Contract> contract) {
        var byHost = new TreeMap<String, List<Contract>>();
        rendered.values()
                .forEach(hosts -> hosts.forEach((host, role) ->
                        byHost.computeIfAbsent(host, _ -> new ArrayList<>()).add(contract.apply(role))));
        var clashes = new ArrayList<Diagnostic>();
        byHost.values().forEach(ofHost -> clashes.addAll(ContractClash.find(ofHost)));
        if (!clashes.isEmpty()) {
            throw new Failure(clashes);
        }
    }
}
