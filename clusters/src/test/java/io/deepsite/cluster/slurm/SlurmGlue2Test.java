package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The key {@code glue2} of a Slurm cluster. */
class SlurmGlue2Test {
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);

    @Test
    void withoutTheKeyNothingIsAdded() {
        assertThat(TestSites.stages(SlurmSite.SITE, MACHINES))
                .noneMatch(stage -> stage.role().equals("slurm_glue2"));
        assertThat(TestSites.requirements(SlurmSite.SITE).flows())
                .noneMatch(flow -> flow.port().equals("2170"));
    }

    @Test
    void theControllerTellsWhatTheSiteKnowsOfTheCluster() {
        var variables = variables("{organisations: [biomed], addresses: [192.0.2.20/32]}");

        assertThat(variables)
                .extractingByKey("slurm_glue2_site", MAP)
                .containsEntry("domain", "quickstart")
                .containsEntry("cluster", "hpc")
                .containsEntry("endpoint", "ssh://10.0.0.100")
                .containsEntry("organisations", List.of("biomed"))
                .extractingByKey("environments", LIST)
                .singleElement(MAP)
                .containsEntry("name", "node")
                .containsEntry("nodes", List.of("node-1", "node-2"))
                .containsEntry("osName", "debian")
                .containsEntry("osVersion", "12");
        assertThat(variables)
                .containsEntry("slurm_glue2_readers", List.of(Map.of("family", "ip", "range", "192.0.2.20/32")));
    }

    @Test
    void gridsNamesComeFirst() {
        assertThat(variables("{domain: LAB-EXAMPLE, endpoint: \"https://jobs.example.org\"}"))
                .extractingByKey("slurm_glue2_site", MAP)
                .containsEntry("domain", "LAB-EXAMPLE")
                .containsEntry("endpoint", "https://jobs.example.org");
    }

    @Test
    void rulesOfTheCloudLetTheGroupsIn() {
        assertThat(TestSites.requirements(site("{groups: [node]}")).flows())
                .filteredOn(flow -> flow.port().equals("2170"))
                .containsExactly(new Flow(new Name("node"), new Name("head"), "tcp", "2170"));
    }

    private static Map<String, Object> variables(String glue2) {
        return TestSites.stages(site(glue2), MACHINES).stream()
                .filter(stage -> stage.role().equals("slurm_glue2"))
                .findFirst()
                .orElseThrow()
                .variables()
                .get("head");
    }

    private static Site site(String glue2) {
        return SlurmSite.site("debian/12", "glue2: " + glue2);
    }
}
