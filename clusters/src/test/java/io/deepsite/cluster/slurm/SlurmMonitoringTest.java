package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.TestSites;
import io.deepsite.cluster.Acceptance;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The key {@code monitoring} of a Slurm cluster, and the command that writes what Prometheus needs of it. */
class SlurmMonitoringTest {
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);

    @TempDir
    private Path folder;

    @Test
    void withoutTheKeyNothingIsAdded() {
        assertThat(TestSites.stages(SlurmSite.SITE, MACHINES))
                .noneMatch(stage ->
                        stage.role().equals("node_exporter") || stage.role().equals("slurm_metrics"));
        assertThat(TestSites.requirements(SlurmSite.SITE).flows())
                .noneMatch(flow -> flow.port().equals("9100"));
        assertThat(TestSites.acceptance(SlurmSite.SITE, MACHINES)).hasSize(1);
    }

    @Test
    void everyMachineLetsThoseReadThatTheSiteNames() {
        var exporters =
                TestSites.stages(site("{groups: [node], addresses: [192.0.2.0/24, \"2001:db8::/32\"]}"), MACHINES)
                        .stream()
                        .filter(stage -> stage.role().equals("node_exporter"))
                        .toList();

        assertThat(exporters)
                .singleElement()
                .satisfies(stage -> assertThat(stage.variables())
                        .containsOnlyKeys("head", "node-1", "node-2")
                        .allSatisfy((_, variables) -> assertThat(variables)
                                .containsEntry(
                                        "node_exporter_scrapers",
                                        List.of(
                                                Map.of("family", "ip", "range", "10.0.0.100"),
                                                Map.of("family", "ip", "range", "10.0.0.1"),
                                                Map.of("family", "ip", "range", "10.0.0.2"),
                                                Map.of("family", "ip", "range", "192.0.2.0/24"),
                                                Map.of("family", "ip6", "range", "2001:db8::/32")))));
    }

    @Test
    void rulesOfTheCloudLetTheSameGroupsIn() {
        var flows = TestSites.requirements(site("{groups: [node]}")).flows();

        assertThat(flows)
                .filteredOn(flow -> flow.port().equals("9100"))
                .containsExactlyInAnyOrder(
                        flow("node", "head"), flow("node", "node"), flow("head", "head"), flow("head", "node"));
    }

    @Test
    void acceptanceTriesAJobThatMayNotRead() {
        assertThat(strangers("{}")).isEqualTo(List.of("node-1", "node-2"));
        assertThat(strangers("{groups: [node]}")).isEqualTo(List.of());
        assertThat(strangers("{addresses: [10.0.0.1/32]}")).isEqualTo(List.of("node-2"));
    }

    @Test
    void prometheusGetsEveryMachineAsATarget() throws IOException {
        var context = new SlurmInvocation();
        context.site = site("{}");

        assertThat(run(context)).isZero();

        assertThat(context.printed)
                .asString()
                .startsWith("Wrote targets/quickstart-hpc.json, deepsite-prometheus.yml, ");
        assertThat(folder.resolve("targets/quickstart-hpc.json"))
                .content()
                .contains("\"10.0.0.100:9100\"", "\"10.0.0.2:9100\"", "\"part\" : \"controller\"");
        assertThat(folder.resolve("deepsite-prometheus.yml")).content().contains("targets/*.json");
        assertThat(folder.resolve("deepsite-rules.yml")).content().contains("alert: SlurmDown");
        assertThat(folder.resolve("deepsite-dashboard.json")).content().startsWith("{");
    }

    /** Two clusters share a folder; what an administrator puts there stays. */
    @Test
    void otherFilesOfTheFolderStay() throws IOException {
        var other = folder.resolve("targets/other-hpc.json");
        Files.createDirectories(folder.resolve("targets"));
        Files.writeString(other, "[]");
        var context = new SlurmInvocation();
        context.site = site("{}");

        run(context);
        run(context);

        assertThat(other).hasContent("[]");
    }

    @Test
    void clusterWithoutTheKeyHasNoTargets() {
        var failure = catchThrowableOfType(Failure.class, () -> run(new SlurmInvocation()));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.NOT_WITH_KIND);
        assertThat(folder).isEmptyDirectory();
    }

    /** Every metric that a rule or the dashboard names is written by somebody. */
    @Test
    void rulesAndDashboardNameMetricsThatExist() throws IOException {
        var context = new SlurmInvocation();
        context.site = site("{}");
        run(context);
        var script = Files.readString(Path.of("../templates/slurm_metrics/usr/local/sbin/deepsite-slurm-metrics.j2"));

        for (var file : List.of("deepsite-rules.yml", "deepsite-dashboard.json")) {
            assertThat(Pattern.compile("deepsite_slurm_([a-z_]+)")
                            .matcher(Files.readString(folder.resolve(file)))
                            .results()
                            .map(match -> match.group(1)))
                    .isNotEmpty()
                    .allMatch(metric -> script.contains("\n    \"" + metric + "\": "));
        }
    }

    private int run(SlurmInvocation context) {
        var command = new MonitoringCommand();
        new CommandLine(command).parseArgs("--output", folder.toString());
        return command.run(context);
    }

    private static Object strangers(String monitoring) {
        return TestSites.acceptance(site(monitoring), MACHINES).stream()
                .filter(acceptance -> acceptance.template().equals("slurm/verify-monitoring.sh.j2"))
                .map(Acceptance::variables)
                .findFirst()
                .orElseThrow()
                .get("monitoring_verify_strangers");
    }

    private static Flow flow(String from, String to) {
        return new Flow(new Name(from), new Name(to), "tcp", "9100");
    }

    private static Site site(String monitoring) {
        return SlurmSite.site("debian/12", "monitoring: " + monitoring);
    }
}
