package io.deepsite.tosca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.cluster.kubernetes.KubernetesKind;
import io.deepsite.cluster.mesos.MesosKind;
import io.deepsite.cluster.slurm.SlurmKind;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.lxd.IncusProviderFactory;
import io.deepsite.lxd.LxdProviderFactory;
import io.deepsite.opennebula.OpenNebulaProviderFactory;
import io.deepsite.openstack.OpenStackProviderFactory;
import io.deepsite.site.Name;
import io.deepsite.site.load.Golden;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.site.load.SiteModel;
import io.deepsite.tosca.ImportedSite.Extent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToscaImportTest {
    private static final Path TEMPLATES = Path.of("src/test/resources/templates");
    private static final SiteModel MODEL = new SiteModel(
            List.of(new SlurmKind(), new KubernetesKind(), new MesosKind()),
            List.of(
                    new LxdProviderFactory(),
                    new IncusProviderFactory(),
                    new OpenStackProviderFactory(),
                    new OpenNebulaProviderFactory()));

    @ParameterizedTest
    @CsvSource({
        "slurm, FULLY, slurm.yaml",
        "elastic, PARTLY, slurm.yaml elastic.yaml",
        "elastic-nodes, FULLY, elastic-nodes.yaml",
        "elastic-limits, PARTLY, elastic-limits.yaml",
        "elastic-kubernetes, PARTLY, kubernetes.yaml elastic-kubernetes.yaml",
        "kubernetes, PARTLY, kubernetes.yaml",
        "mesos, FULLY, mesos.yaml",
        "storage, PARTLY, storage.yaml",
        "hostile, PARTLY, hostile.yaml"
    })
    void makesASiteOfATemplate(String name, Extent extent, String files) {
        var made = run("lxd", Map.of(), files.split(" "));

        Golden.assertSame(TEMPLATES.resolve(name + ".site.yaml"), made.text());
        Golden.assertSame(
                TEMPLATES.resolve(name + ".left.txt"),
                made.left().stream()
                        .map(left -> (left.lost() ? "lost" : "other") + " " + left.line() + " " + left.what() + ": "
                                + left.why() + "\n")
                        .collect(Collectors.joining()));
        assertThat(made.extent()).isEqualTo(extent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lxd", "incus", "openstack", "opennebula"})
    void whatItWritesIsASiteOfEachProvider(String provider) {
        for (var template : List.of(
                "slurm.yaml",
                "slurm.yaml elastic.yaml",
                "elastic-nodes.yaml",
                "elastic-limits.yaml",
                "kubernetes.yaml",
                "mesos.yaml",
                "storage.yaml")) {
            var made = run(provider, Map.of(), template.split(" "));

            assertThat(new SiteLoader(MODEL)
                            .load("site.yaml", made.text(), Map.of()).diagnostics().stream()
                                    .filter(Diagnostic::isError))
                    .as(provider + " " + template + "\n" + made.text())
                    .isEmpty();
        }
    }

    @Test
    void noTextOfATemplateBecomesAKeyOfTheSite() {
        var site = new SiteLoader(MODEL)
                .load("site.yaml", run("lxd", Map.of(), "hostile.yaml").text(), Map.of())
                .site();

        assertThat(site.orElseThrow().name()).isEqualTo(new Name("lab"));
        assertThat(site.orElseThrow().users()).isEmpty();
    }

    @Test
    void aGivenInputIsTheDefaultOfItsParameter() {
        var made = run("lxd", Map.of("workers", "7"), "slurm.yaml");

        assertThat(made.text()).contains("workers: {type: integer, default: 7");
    }

    @Test
    void machinesWithCardsComeAndGoWhereTheyAreNoContainers() {
        assertThat(run("openstack", Map.of(), "slurm.yaml", "elastic.yaml").text())
                .contains("worker-server: {max: \"${largest}\"}");
    }

    @Test
    void aLargestNumberThatIsGivenMakesAGroupElastic() {
        assertThat(run("lxd", Map.of("small_most", "5"), "elastic-limits.yaml").text())
                .contains("small-server: {max: \"${small-most}\", idle: 30s}");
    }

    @Test
    void noSecretOfATemplateIsInTheSite() {
        assertThat(run("lxd", Map.of(), "elastic-nodes.yaml").text()).doesNotContain("not_very_secret");
        assertThat(run("lxd", Map.of(), "slurm.yaml").text()).doesNotContain("not_very_secret");
        assertThat(run("lxd", Map.of(), "kubernetes.yaml").text()).doesNotContain("not_very_secret");
    }

    @Test
    void aTemplateWithoutMachinesIsNoSite() {
        assertThat(run("lxd", Map.of(), "nothing.yaml").extent()).isEqualTo(Extent.NOT);
    }

    @Test
    void aLaterVersionIsRefusedByItsName() {
        FaultMessage.assertReads("tosca/DS1302-version-2", () -> run("lxd", Map.of(), "version-2.yaml"));
    }

    @Test
    void anInputThatIsNotThereIsRefused() {
        FaultMessage.assertReads("tosca/DS1303-unknown-input", () -> run("lxd", Map.of("workrs", "7"), "slurm.yaml"));
    }

    @Test
    void anOverlayAloneNamesWhatItIsLaidOver() {
        FaultMessage.assertReads("tosca/DS1304-overlay-alone", () -> run("lxd", Map.of(), "elastic.yaml"));
    }

    @Test
    void whatIsNoYamlIsRefused(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("broken.yaml"), "a: [1\nb: 2\n");
        FaultMessage.assertReads(
                "tosca/DS1301-no-yaml",
                () -> new ToscaImport(MODEL, "lxd", new Name("lab"))
                        .run(List.of(folder.resolve("broken.yaml")), Map.of()),
                text -> text.replace(folder.toString(), "/lab"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "- a\n",
                "a: &a [*a]\n",
                "tosca_definitions_version: [tosca_simple_yaml_1_0]\n",
                "a: !!javax.script.ScriptEngineManager [x]\n"
            })
    void otherFilesAreRefusedToo(String text, @TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("any.yaml"), text);

        var failure = catchThrowableOfType(
                Failure.class, () -> new ToscaImport(MODEL, "lxd", new Name("lab")).run(List.of(file), Map.of()));

        assertThat(failure.diagnostics().getFirst().code()).isIn(Code.TOSCA_UNREADABLE, Code.TOSCA_VERSION);
    }

    @Test
    void aFolderIsReportedAsAWhole() {
        var reports = new TemplateFolder(TEMPLATES).reports(new ToscaImport(MODEL, "lxd", new Name("lab")));

        assertThat(reports)
                .filteredOn(report -> report.made().isPresent())
                .extracting(TemplateFolder.Report::file)
                .contains("elastic.yaml", "kubernetes.yaml", "mesos.yaml", "nothing.yaml", "slurm.yaml");
    }

    private static ImportedSite run(String provider, Map<String, String> inputs, String... files) {
        return new ToscaImport(MODEL, provider, new Name("lab"))
                .run(Arrays.stream(files).map(TEMPLATES::resolve).toList(), inputs);
    }
}
