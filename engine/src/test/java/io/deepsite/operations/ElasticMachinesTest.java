package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.Elastic;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticMachinesTest {
    private static final ClusterKinds KINDS =
            new ClusterKinds(List.of(new ElasticKind()), List.of(new FakeProviderFactory()));
    private static final Site SITE =
            KINDS.loader().load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: lab
                    provider: {fake: {}}
                    machines:
                      head: {image: debian/12}
                      node: {count: 1, image: debian/12}
                      large: {count: 0, image: debian/12}
                    clusters:
                      hpc: {kind: elastic, most: {node: 3, large: 2}}
                    """, Map.of()).orFail();

    private final ElasticMachines machines = new ElasticMachines(KINDS, SITE);

    @Test
    void areThoseAboveTheCountUpToTheMost() {
        assertThat(List.of("node-2", "node-3", "large-1", "large-2")).allMatch(machines::contains);
        assertThat(List.of("head", "node-1", "node-4", "large-3", "node-02", "node-"))
                .noneMatch(machines::contains);
    }

    @Test
    void joinTheMachinesThatAreAlwaysThere() {
        var site = machines.with(List.of("node-3", "large-1"));

        assertThat(site.machineNames(new Name("node"))).containsExactly("node-1", "node-3");
        assertThat(site.machineNames(new Name("large"))).containsExactly("large-1");
        assertThat(site.machineNames(new Name("head"))).containsExactly("head");
        assertThat(machines.with(List.of())).isEqualTo(SITE);
    }

    @Test
    void nothingIsThereBeforeTheFirstOneIsMade() {
        assertThat(machines.existing(List.of(), SiteState.fresh("lab", "1.0"))).isEmpty();
    }

    @Test
    void aSiteWithoutThemHasNothingToWaitFor(@TempDir Path folder) {
        try (var lab = new SiteOnFake(folder)) {
            FaultMessage.assertReads(
                    "elastic/DS1341-no-group", () -> ElasticOperation.refuseNone(lab.context, lab.context.elastic()));
        }
    }

    @Test
    void aRefusedRequestNamesWhoSaidIt() {
        FaultMessage.assertReads("elastic/DS1342-request", () -> {
            throw new Failure(ElasticController.refusal("head", new Name("hpc"), "node-1"));
        });
    }

    /** A cluster that is nothing but elastic. */
    static final class ElasticKind implements ClusterKind<ElasticKind.Model> {
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
}
