package io.deepsite.operations;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractJson;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Name;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImmutableKeysTest {
    @Test
    void aJumpOverReleasesOfKubernetesNamesTheNextOne() {
        var state = appliedOf(site("1.20.2", "k8s", ""));

        assertReads(
                "plan/DS1446-over-a-release",
                () -> ImmutableKeys.refuseChanges(TestSites.ALL, site("1.22.17", "k8s", ""), state));
    }

    @Test
    void anOlderReleaseOfKubernetesIsRefused() {
        var state = appliedOf(site("1.20.2", "k8s", ""));

        assertReads(
                "plan/DS1447-patch-release",
                () -> ImmutableKeys.refuseChanges(TestSites.ALL, site("1.20.1", "k8s", ""), state));
        assertThat(ImmutableKeys.faults(TestSites.ALL, site("1.20.2", "k8s", ""), appliedOf(site("1.21.0", "k8s", ""))))
                .hasSize(1);
    }

    @Test
    void aClusterMayMoveToTheNextReleaseOfKubernetes() {
        var state = appliedOf(site("1.20.2", "k8s", ""));

        assertThat(ImmutableKeys.faults(TestSites.ALL, site("1.20.15", "k8s", ""), state))
                .isEmpty();
        assertThat(ImmutableKeys.faults(TestSites.ALL, site("1.21.14", "k8s", ""), state))
                .isEmpty();
    }

    @Test
    void reportsAllImmutableKeysAtOnce() {
        var state = appliedOf(site("1.20.2", "k8s", ""));

        assertReads(
                "plan/DS4018-network-and-runtime",
                () -> ImmutableKeys.refuseChanges(
                        TestSites.ALL,
                        site("1.20.2", "k8s", "runtime: docker, network: {pods: 10.240.0.0/16, plugin: bridge}, "),
                        state));
    }

    @Test
    void theSameClusterMayGoOn() {
        var state = appliedOf(site("1.20.2", "k8s", ""));

        assertThat(ImmutableKeys.faults(TestSites.ALL, site("1.20.2", "k8s", "addons: {dns: false}, "), state))
                .isEmpty();
    }

    @Test
    void aClusterOfAnotherNameOrOneThatIsNotThereYetIsFree() {
        var state = appliedOf(site("1.20.2", "k8s", ""));

        assertThat(ImmutableKeys.faults(TestSites.ALL, site("1.31.4", "k8s2", ""), state))
                .isEmpty();
        assertThat(ImmutableKeys.faults(TestSites.ALL, site("1.31.4", "k8s", ""), SiteState.fresh("lab", "1")))
                .isEmpty();
    }

    private static LoadResult site(String version, String name, String keys) {
        return TestSites.load("site.yaml", """
                apiVersion: deepsite/v1
                site: lab
                provider: {lxd: {}}
                machines:
                  head: {image: debian/12, cpus: 2, memory: 2GiB}
                  node: {image: debian/12}
                clusters:
                  %s: {kind: kubernetes, version: %s, install: {given: true}, %scontrolPlane: head, workers: [node]}
                """.formatted(name, version, keys), Map.of());
    }

    /** As an apply records it. */
    private static SiteState appliedOf(LoadResult loaded) {
        var site = loaded.orFail();
        var head = new Machine(
                "head",
                new Name("head"),
                Optional.empty(),
                "lxd",
                new Machine.Specs(2, 2048, true, List.of()),
                new Machine.Ssh(Optional.of("192.0.2.1"), 22, "root", Optional.empty()));
        var home = DeepsiteHome.find();
        var roles = new ContractRenderer(home, new TemplateRenderer(home));
        var recorded = new TreeMap<String, RecordedRole>();
        for (var stage : TestSites.stages(site, List.of(head))) {
            var variables = stage.variables().get("head");
            if (variables != null) {
                var contract = roles.render(stage.role(), head, new SiteScope(List.of(head)), variables)
                        .contract();
                recorded.put(
                        stage.role(),
                        new RecordedRole(stage.name(), List.of(), "sha256:0", ContractJson.tree(contract), List.of()));
            }
        }
        return SiteState.fresh("lab", "1").withHost("head", new RecordedHost("192.0.2.1", 22, "root", null, recorded));
    }
}
