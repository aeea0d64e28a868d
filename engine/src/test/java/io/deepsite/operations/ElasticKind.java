package io.deepsite.operations;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.Elastic;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A cluster that is nothing but elastic. */
public final class ElasticKind implements ClusterKind<ElasticKind.Model> {
    public record Model(
            @Key(value = "Most machines.", example = "{node: 3}")
            Map<Name, Integer> most) implements Cluster {
        @Override
        public String kind() {
            return "elastic";
        }

        @Override
        public Set<Name> groups() {
            return most.keySet();
        }
    }

    @Override
    public String name() {
        return "elastic";
    }

    @Override
    public Class<Model> model() {
        return Model.class;
    }

    @Override
    public void check(CheckContext context, Name name, Model cluster) {}

    @Override
    public Optional<Elastic> elastic(Model cluster) {
        return Optional.of(new Elastic(new Name("head"), "/bin/elastic", new TreeMap<>(cluster.most())));
    }

    @Override
    public Requirements requirements(Site site, Name name, Model cluster) {
        return Requirements.NONE;
    }

    @Override
    public List<Stage> stages(Site site, Name name, Model cluster, List<Machine> machines) {
        return List.of();
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, Model cluster, List<Machine> machines) {
        return List.of();
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, Model cluster, List<Machine> machines, Optional<Name> user) {
        throw new UnsupportedOperationException("it takes no commands");
    }
}
