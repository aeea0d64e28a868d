package io.deepsite.tosca;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.site.load.SiteModel;
import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.Template.Node;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a site.yaml of a TOSCA template. Reads the named files only, and runs nothing of them. */
public final class ToscaImport {
    private final SiteModel model;
    private final Name site;
    private final String machines;
    private final String kept;

    /** @param provider that makes the machines: one for which {@code init} writes machines with images */
    public ToscaImport(SiteModel model, String provider, Name site) {
        this(model, site, model.provider(provider).orElseThrow().template(), "");
    }

    private ToscaImport(SiteModel model, Name site, String machines, String kept) {
        this.model = model;
        this.site = site;
        this.machines = machines;
        this.kept = kept;
    }

    /**
     * For a site.yaml to which somebody else adds keys: its provider, perhaps others.
     *
     * @param image of all machines
     * @param kept these keys; they are not in what is made
     */
    public static ToscaImport completedBy(SiteModel model, Name site, ImageName image, String kept) {
        return new ToscaImport(model, site, "machines:\n  node: {image: " + image + "}\n", kept);
    }

    /**
     * @param files the template, then overlays of it
     * @param given values of its inputs
     * @throws Failure TOSCA_UNREADABLE, TOSCA_VERSION, TOSCA_INPUT, TOSCA_OVERLAY
     */
    public ImportedSite run(List<Path> files, Map<String, String> given) {
        return run(Template.read(files), given);
    }

    /**
     * Of one text; no file is read.
     *
     * @param file as messages call it
     * @throws Failure TOSCA_UNREADABLE, TOSCA_VERSION, TOSCA_INPUT, TOSCA_OVERLAY
     */
    public ImportedSite run(String file, String text, Map<String, String> given) {
        return run(Template.read(file, text), given);
    }

    /** Whether a provider's machines may come and go is what the check of a site says; where they may not, they stay. */
    private ImportedSite run(Template template, Map<String, String> given) {
        var refused = new HashMap<String, String>();
        var made = run(template, given, Map.of(), refused);
        return refused.isEmpty() ? made : run(template, given, Map.copyOf(refused), refused);
    }

    /**
     * @param lasting why the machines of some Compute nodes do not come and go
     * @param refused gets the reasons for others
     */
    private ImportedSite run(
            Template template, Map<String, String> given, Map<String, String> lasting, Map<String, String> refused) {
        var nodes = template.nodes();
        requireWhole(template, nodes);
        var inputs = new Inputs(template, given);
        var functions = new Functions(inputs, nodes);
        var left = new ArrayList<Left>();
        var text = new SiteText(model, machines, site, template);
        var numbers = new Numbers(inputs, functions, text, left);
        var elastic = new ElasticGroups(functions, numbers, left).read(nodes, lasting);
        var machines = new Machines(inputs, functions, text, numbers, elastic, left).add(nodes.values());
        var clusters = new Clusters(functions, text, machines, elastic, left);
        var mapped = new LinkedHashSet<>(machines.keySet());
        mapped.addAll(elastic.managers());
        mapped.addAll(clusters.add(nodes.values()));
        mapped.addAll(new Volumes(functions, machines, left).add(nodes.values(), text, sharesVolumes(text)));
        rest(nodes, mapped, left);
        policies(template, left);
        template.inputs().keySet().stream()
                .filter(inputs::hasDefaultSecret)
                .forEach(name -> left.add(new Left(
                        "input " + name,
                        inputs.line(name),
                        "A password that everybody knows is not taken over; deepsite generates secrets for each site.",
                        false)));
        if (machines.isEmpty()) {
            return new ImportedSite("", left);
        }
        var whole = text.whole();
        // A template may ask for what no site can have: two masters, a machine without memory.
        var faults = new SiteLoader(model)
                .load("site.yaml", whole + kept, Map.of()).diagnostics().stream()
                        .filter(Diagnostic::isError)
                        .toList();
        faults.stream()
                .filter(fault -> fault.code() == Code.NOT_ELASTIC)
                .forEach(fault -> machines.forEach((node, group) -> {
                    if (path(fault).equals("clusters." + Clusters.SLURM + ".elastic." + group)) {
                        refused.put(node, fault.why());
                    }
                }));
        faults.forEach(fault -> left.add(new Left(
                "site.yaml" + (path(fault).isEmpty() ? "" : ": " + path(fault)),
                0,
                fault.code().id() + ": " + fault.code().summary() + ". " + fault.why() + " " + fault.fix(),
                true)));
        return new ImportedSite(whole, left);
    }

    private static String path(Diagnostic fault) {
        return Optional.ofNullable(fault.where()).map(Where::path).orElse("");
    }

    /** An overlay alone speaks of nodes that it does not have. */
    private static void requireWhole(Template template, Map<String, Node> nodes) {
        for (var node : nodes.values()) {
            var missing = node.required("host").stream()
                    .filter(host -> !nodes.containsKey(host))
                    .findFirst();
            if (missing.isPresent()) {
                throw new Failure(Diagnostic.error(
                        Code.TOSCA_OVERLAY,
                        new Where(template.file().toString(), node.value().line(), 0, 1, node.name(), null),
                        node.name() + " runs on " + missing.get() + ", which the template does not have.",
                        template.parent()
                                .map(parent ->
                                        "It is to be laid over another template; name that first: deepsite import tosca "
                                                + parent + " " + template.file().getFileName())
                                .orElse("Correct the name.")));
            }
        }
    }

    private static void rest(Map<String, Node> nodes, Set<String> mapped, List<Left> left) {
        for (var node : nodes.values()) {
            if (mapped.contains(node.name())) {
                continue;
            }
            int line = node.value().line();
            var what = node.name() + " (" + node.type() + ")";
            if (node.type().contains(".network.")) {
                left.add(new Left(
                        what,
                        line,
                        "The provider's own network connects all machines; its keys are below provider.",
                        false));
            } else {
                left.add(new Left(
                        what,
                        line,
                        "deepsite has no such part. Scripts and artifacts of templates are never run.",
                        true));
            }
        }
    }

    /** Only the provider knows; what the site has so far names it. */
    private boolean sharesVolumes(SiteText text) {
        return new SiteLoader(model)
                .load("site.yaml", text.whole() + kept, Map.of())
                .site()
                .map(site -> site.provider().sharesVolumes())
                .orElse(false);
    }

    private static void policies(Template template, List<Left> left) {
        template.policies()
                .forEach((name, policy) -> left.add(new Left(
                        "policy " + name,
                        policy.line(),
                        "The provider of site.yaml says where the machines are.",
                        false)));
    }
}
