package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
}
