package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

class CommandLineTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Bench bench = new Bench();

    @TempDir
    private Path folder;

    @Test
    void suggestsTheNearestOption() {
        int exit = bench.run("validate", "--jsn");

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err())
                .contains("error DS8001")
                .contains("Did you mean --json?")
                .contains("deepsite validate --help");
        assertThat(bench.out()).isEmpty();
    }

    @Test
    void suggestsTheNearestVerb() {
        int exit = bench.run("aply");

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err()).contains("Did you mean apply");
    }

    @Test
    void reportsCommandLineFaultsAsJson() {
        bench.run("validate", "--json", "--nosuch");

        assertThat(JSON.readTree(bench.err()).path("code").asString()).isEqualTo("DS8001");
    }

    @Test
    void destroyHasNoReport() {
        assertThat(bench.run("destroy", "--report", "junit.xml")).isEqualTo(2);
        assertThat(bench.err()).contains("DS8001", "--report");
    }

    @Test
    void unknownConsentListsAllConsents() {
        int exit = bench.run("apply", "--allow", "rebot");

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err()).contains("'rebot' is not one of reboot, replace, wipe, drain, remove-packages");
    }

    @Test
    void groupWithoutSubcommandIsAnError() {
        int exit = bench.run("lease");

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err()).contains("list, extend, end, reap");
    }

    @Test
    void validatePrintsASummaryOfAValidSite() throws IOException {
        var file = site("");

        int exit = bench.run("validate", file.toString());

        assertThat(exit).isZero();
        assertThat(bench.out()).contains("is valid: site lab, 3 machines on lxd");
        assertThat(bench.err()).isEmpty();
    }

    @Test
    void validateReportsEveryFault() throws IOException {
        var file = site("machnes: {}\nlease: {duration: 4}\n");

        int exit = bench.run("validate", file.toString());

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err()).contains("DS1009").contains("DS1105").contains("Did you mean");
        assertThat(bench.out()).isEmpty();
    }

    @Test
    void validateReadsTheSiteOfAFirstRun() throws IOException {
        var file = Files.writeString(folder.resolve("site.yaml"), """
                apiVersion: deepsite/v1
                site: cloud
                provider: {static: {inventory: hosts.yml}}
                machines: {host: {}}
                clusters:
                  cloud: {kind: openstack, method: packages, given: true, release: stein, compute: [host], firstRun: first.yaml}
                """);
        var first = folder.resolve("first.yaml");

        assertThat(bench.run("validate", file.toString())).isEqualTo(2);
        assertThat(bench.err()).contains("DS1002", "--> " + first).doesNotContain("DS1009");

        Files.writeString(first, "apiVersion: deepsite/v1\nsite: first\nmachnies: {}\n");
        assertThat(bench.run("validate", file.toString())).isEqualTo(2);
        assertThat(bench.err()).contains("DS1009", first + ":3:1");

        Files.writeString(first, """
                apiVersion: deepsite/v1
                site: first
                provider: {static: {inventory: hosts.yml}}
                machines: {guest: {}}
                """);
        assertThat(bench.run("validate", file.toString())).isZero();
    }

    @Test
    void validateReportsFaultsAsJson() throws IOException {
        int exit =
                bench.run("validate", "--json", site("lease: {duration: 4}\n").toString());

        var result = JSON.readTree(bench.out());
        assertThat(exit).isEqualTo(2);
        assertThat(result.path("valid").asBoolean()).isFalse();
        assertThat(result.path("diagnostics").get(0).path("where").path("line").asInt())
                .isEqualTo(8);
    }

    @Test
    void initWritesASiteThatValidates() {
        var file = folder.resolve("My Lab 2/site.yaml");

        assertThat(bench.run("init", file.toString())).isZero();
        assertThat(bench.run("validate", file.toString())).isZero();
        assertThat(bench.out()).contains("site my-lab-2, 3 machines");
    }

    @Test
    void initRefusesAnInvalidName() {
        var file = folder.resolve("site.yaml");

        assertThat(bench.run("init", file.toString(), "--name", "My Lab")).isEqualTo(2);
        assertThat(bench.err()).contains("DS8001", "\"My Lab\" is not a name");
        assertThat(file).doesNotExist();
    }

    @Test
    void initListsEveryKind() {
        assertThat(bench.run("init", "-", "--kind", "slrum")).isEqualTo(2);
        assertThat(bench.err())
                .contains(
                        "slurm, kubernetes, opennebula, mesos, lxd-host, openstack or none", "Did you mean \"slurm\"?");
    }

    @Test
    void workIsPrintedAsJson() throws IOException {
        var file = Files.writeString(folder.resolve("job.yaml"), "{name: demo, command: nvidia-smi, gpus: 1}");

        assertThat(bench.run("run", "tasks", "--chronos", file.toString(), "--dry-run"))
                .isZero();
        assertThat(JSON.readTree(bench.out()).path("gpus").asInt()).isEqualTo(1);
    }

    @Test
    void workWithGpusForDockerIsRefused() throws IOException {
        var file = Files.writeString(
                folder.resolve("app.yaml"), "{name: demo, image: nvidia/cuda, gpus: 1, container: docker}");

        assertThat(bench.run("run", "tasks", "--marathon", file.toString())).isEqualTo(2);
        assertThat(bench.err()).contains("DS1234", "Mesos gives GPUs only to its own containers");
    }

    @Test
    void runAsksForOneOfTwo() {
        assertThat(bench.run("run", "tasks")).isEqualTo(2);
        assertThat(bench.err()).contains("Nothing says what to run.");
        assertThat(bench.run("run", "tasks", "--marathon", "a", "--chronos", "b"))
                .isEqualTo(2);
        assertThat(bench.err()).contains("to Marathon or to Chronos");
        assertThat(bench.run("run", "tasks", "--marathon", "a", "--", "date")).isEqualTo(2);
        assertThat(bench.err()).contains("no command");
        assertThat(bench.run("run", "tasks", "--now", "--", "date")).isEqualTo(2);
        assertThat(bench.err()).contains("are about work that a file describes");
    }

    @Test
    void initDoesNotOverwriteAFile() throws IOException {
        var file = site("");
        var before = Files.readString(file);

        int exit = bench.run("init", file.toString());

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err()).contains("DS8002");
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void explainsAKey() {
        assertThat(bench.run("explain", "machines.memory")).isZero();
        assertThat(bench.out()).contains("1GiB").contains("Memory of each machine");
    }

    @Test
    void explainsAClusterOfTheSiteByItsKind() throws Exception {
        var site = Files.writeString(folder.resolve("site.yaml"), "clusters: {jobs: {kind: slurm, computes: []}}\n");

        assertThat(bench.run("explain", "clusters.jobs", "--site", site.toString()))
                .isZero();
        assertThat(bench.out())
                .contains("A cluster of kind slurm.", "controller")
                .doesNotContain("controlPlane");
    }

    @Test
    void printsASchemaThatIsJson() {
        assertThat(bench.run("schema")).isZero();
        assertThat(JSON.readTree(bench.out()).path("$schema").asString()).contains("2020-12");
    }

    static Stream<Verb> verbs() {
        return Verb.all(new Bench().workplace().kinds()).stream();
    }

    @Test
    void completionKnowsEveryVerb() {
        assertThat(bench.run("completion", "bash")).isZero();

        assertThat(bench.out()).contains(verbs().map(Verb::word).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "init -",
                "completion",
                "completion zsh",
                "schema",
                "explain",
                "explain --paths",
                "version",
                "--version"
            })
    void everyTextOutputHasAJsonForm(String typed) {
        var words = new ArrayList<>(List.of(typed.split(" ")));
        words.add("--json");

        assertThat(bench.run(words.toArray(String[]::new))).isZero();
        assertThat(JSON.readTree(bench.out()).isContainer()).isTrue();
    }

    @Test
    void theOptionPrintsWhatTheVerbPrints() {
        assertThat(bench.run("version")).isZero();
        var verb = bench.out();

        assertThat(bench.run("--version")).isZero();

        assertThat(bench.out()).isEqualTo(verb + verb).startsWith("deepsite ").endsWith(")\n");
    }

    @Test
    void nothingCanBeAppliedWithoutASite() {
        int exit = bench.run("plan", folder.resolve("none.yaml").toString());

        assertThat(exit).isEqualTo(2);
        assertThat(bench.err()).contains("DS1002");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void everyVerbExplainsItself(Verb verb) {
        int exit = bench.run(verb.word(), "--help");

        assertThat(exit).isZero();
        everyPart(verb.make(bench.workplace()));
    }

    private static void everyPart(CommandLine line) {
        var usage = line.getCommandSpec().usageMessage();
        assertThat(usage.description()[0])
                .as(line.getCommandName())
                .endsWith(".")
                .hasSizeLessThanOrEqualTo(88);
        assertThat(usage.footer()).as("examples of " + line.getCommandName()).isNotEmpty();
        if (line.getSubcommands().isEmpty()) {
            assertThat(line.getCommandSpec().optionsMap()).containsKeys("--json", "-q", "-v", "--help");
        }
        line.getSubcommands().values().forEach(CommandLineTest::everyPart);
    }

    private Path site(String more) throws IOException {
        var file = folder.resolve("site.yaml");
        Files.writeString(file, """
                apiVersion: deepsite/v1
                site: lab
                provider:
                  lxd: {pool: {name: nova}}
                machines:
                  head: {image: debian/12}
                  node: {image: debian/12, count: 2}
                """ + more);
        return file;
    }
}
