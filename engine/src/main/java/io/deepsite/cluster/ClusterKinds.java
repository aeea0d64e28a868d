package io.deepsite.cluster;

import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.provider.Providers;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.site.load.SiteModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The kinds of clusters and the providers that there are, and the shape of site.yaml with them. */
public final class ClusterKinds {
    /** The argument in which an action stores what no later apply can change, or not at will, by the cluster's key in site.yaml. */
    public static final String MADE_WITH = "made_with";

    private final Map<String, ClusterKind<?>> kinds = new LinkedHashMap<>();
    private final Providers providers;
    private final SiteModel model;

    /** Both in the order in which texts name them. */
    public ClusterKinds(List<ClusterKind<?>> kinds, List<ProviderFactory<?>> providers) {
        kinds.forEach(kind -> {
            if (this.kinds.put(kind.name(), kind) != null) {
                throw new IllegalArgumentException("two kinds of clusters are called " + kind.name());
            }
        });
        this.providers = new Providers(providers);
        this.model = new SiteModel(kinds, providers);
    }

    public List<ClusterKind<?>> all() {
        return List.copyOf(kinds.values());
    }

    /** The commands that kinds add to the command line, by their word. */
    public Map<String, Supplier<? extends ClusterCommand>> commands() {
        var commands = new LinkedHashMap<String, Supplier<? extends ClusterCommand>>();
        kinds.values()
                .forEach(kind -> new TreeMap<>(kind.commands()).forEach((word, command) -> {
                    if (commands.put(word, command) != null) {
                        throw new IllegalArgumentException("two kinds of clusters add the command " + word);
                    }
                }));
        return commands;
    }

    public Providers providers() {
        return providers;
    }

    /** What site.yaml may hold. */
    public SiteModel model() {
        return model;
    }

    public SiteLoader loader() {
        return new SiteLoader(model);
    }

    /** A cluster of a site, with its kind. */
    public Known of(Site site, Name name, Cluster cluster) {
        var kind = kinds.get(cluster.kind());
        if (kind == null) {
            throw new IllegalArgumentException(
                    name + " is of the kind " + cluster.kind() + ", which is not known here");
        }
        return known(kind, site, name, cluster);
    }

    private static <C extends Cluster> Known known(ClusterKind<C> kind, Site site, Name name, Cluster cluster) {
        return new Typed<>(kind, site, name, kind.model().cast(cluster));
    }

    /** A cluster's kind applied to it; see {@link ClusterKind}. */
    public interface Known {
        Requirements requirements();

        List<Stage> stages(List<Machine> machines);

        List<Acceptance> acceptance(List<Machine> machines);

        SortedMap<String, String> madeWith();

        Optional<ClusterKind.Refusal> refuses(String key, String made);

        List<Diagnostic> review(PlanReview plan);

        boolean configuresLibvirt(Name group);

        Optional<Elastic> elastic();

        ClusterKind.CommandPrefix commandPrefix(List<Machine> machines, Optional<Name> user);

        Optional<ClusterKind.LoginFile> loginFile();
    }

    private record Typed<C extends Cluster>(ClusterKind<C> kind, Site site, Name name, C cluster) implements Known {
        @Override
        public Requirements requirements() {
            return kind.requirements(site, name, cluster);
        }

        @Override
        public List<Stage> stages(List<Machine> machines) {
            return kind.stages(site, name, cluster, machines);
        }

        @Override
        public List<Acceptance> acceptance(List<Machine> machines) {
            return kind.acceptance(site, name, cluster, machines);
        }

        @Override
        public SortedMap<String, String> madeWith() {
            return kind.madeWith(cluster);
        }

        @Override
        public Optional<ClusterKind.Refusal> refuses(String key, String made) {
            return kind.refuses(name, cluster, key, made);
        }

        @Override
        public List<Diagnostic> review(PlanReview plan) {
            return kind.review(site, name, cluster, plan);
        }

        @Override
        public boolean configuresLibvirt(Name group) {
            return kind.configuresLibvirt(cluster, group);
        }

        @Override
        public Optional<Elastic> elastic() {
            return kind.elastic(cluster);
        }

        @Override
        public ClusterKind.CommandPrefix commandPrefix(List<Machine> machines, Optional<Name> user) {
            return kind.commandPrefix(site, name, cluster, machines, user);
        }

        @Override
        public Optional<ClusterKind.LoginFile> loginFile() {
            return kind.loginFile(name, cluster);
        }
    }
}
