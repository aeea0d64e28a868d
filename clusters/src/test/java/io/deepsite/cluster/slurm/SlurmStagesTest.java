package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.ExampleSite;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlurmStagesTest {
    private static final Site SITE = SlurmSite.SITE;

    /** The tests of providers plan machines for it without the kind. */
    @Test
    void asksWhatTheExamplesOfProvidersTakeItToAsk() {
        for (var example : List.of("slurm-openstack", "slurm-opennebula")) {
            var site = TestSites.load(Path.of("../site-examples/" + example + "/site.yaml"), Map.of())
                    .orFail();

            assertThat(TestSites.requirements(site).groups()).isEqualTo(ExampleSite.OF_SLURM.groups());
            assertThat(TestSites.requirements(site).flows()).containsExactlyElementsOf(ExampleSite.OF_SLURM.flows());
        }
    }

    @Test
    void oneNodeMoreChangesTheControllerAndThatNodeOnly() {
        var before = TestSites.stages(SITE, SlurmSite.machines(2, true));
        var after = TestSites.stages(SITE, SlurmSite.machines(3, true));

        assertThat(hostsThatChange(before, after)).containsExactly("head", "node-3");
    }

    @Test
    void aHeadKnowsAllNamesAndANodeKnowsTheHead() {
        var hosts = stage(TestSites.stages(SITE, SlurmSite.machines(2, true)), "site.etc_hosts");

        assertThat(names(hosts, "head")).containsExactly("head", "node-1", "node-2");
        assertThat(names(hosts, "node-1")).containsExactly("head");
    }

    @Test
    void containersFindTheSharedHomeInPlace() {
        var stages = TestSites.stages(SITE, SlurmSite.machines(1, true));

        assertThat(stage(stages, "hpc.shared_home").variables())
                .containsOnlyKeys("head", "node-1")
                .allSatisfy((_, variables) -> assertThat(variables).containsEntry("shared_home_by", "provider"));
    }

    @Test
    void otherMachinesMountTheHomeOnceTheHeadExportsIt() {
        var stages = TestSites.stages(SITE, SlurmSite.machines(2, false));
        var exported = stage(stages, "hpc.exported_home");
        var mounted = stage(stages, "hpc.shared_home");

        assertThat(exported.hosts()).containsExactly("head");
        assertThat(exported.variables().get("head"))
                .containsEntry("shared_home_clients", List.of("10.0.0.1", "10.0.0.2"));
        assertThat(mounted.hosts()).containsExactly("node-1", "node-2");
        assertThat(mounted.needs()).contains(exported.name());
        assertThat(stage(stages, "site.users").needs()).contains(exported.name(), mounted.name());
    }

    @Test
    void noDaemonStartsBeforeTheNamesAreKnown() {
        assertThat(stage(TestSites.stages(SITE, SlurmSite.machines(2, true)), "hpc.munge")
                        .needs())
                .contains("site.etc_hosts", "site.users");
    }

    @Test
    void aNodeJoinsOnceTheControllerKnowsIt() {
        assertThat(stage(TestSites.stages(SITE, SlurmSite.machines(2, true)), "hpc.slurm_node")
                        .needs())
                .contains("hpc.slurm_controller", "hpc.munge");
    }

    @Test
    void aCommandRunsInTheHomeOfWhoAsked() {
        var prefix = TestSites.cluster(SITE, new Name("hpc"))
                .commandPrefix(SlurmSite.machines(1, true), Optional.of(new Name("alice")));

        assertThat(prefix.host()).isEqualTo("head");
        assertThat(prefix.argv())
                .startsWith("runuser", "-u", "alice")
                .contains("HOME=/home/alice")
                .endsWith("srun");
    }

    private static Stage stage(List<Stage> stages, String name) {
        return stages.stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Object> names(Stage hosts, String host) {
        return ((List<?>) hosts.variables().get(host).get("etc_hosts_machines"))
                .stream()
                        .<Object>map(machine -> ((Map<?, ?>) machine).get("name"))
                        .toList();
    }

    private static List<String> hostsThatChange(List<Stage> before, List<Stage> after) {
        return after.stream()
                .flatMap(stage -> stage.hosts().stream()
                        .filter(host -> !stage.variables()
                                .get(host)
                                .equals(stage(before, stage.name()).variables().get(host))))
                .distinct()
                .toList();
    }
}
