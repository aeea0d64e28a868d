package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands as plugins of a monitoring system: one line on standard output, nothing on standard error, exit codes 0 to 3. */
class NagiosTest {
    /** The plugin contract: a line, and after a bar measures as {@code label=number[unit][;warning[;critical]]}. */
    private static final Pattern LINE = Pattern.compile("DEEPSITE (OK|WARNING|CRITICAL|UNKNOWN) - [^|\\n]+"
            + "( \\|( [a-z_]+=-?[0-9]+(\\.[0-9]+)?s?(;[0-9]*:?(;[0-9]*:?)?)?)+)?\\n");

    private static final List<String> STATES = List.of("OK", "WARNING", "CRITICAL", "UNKNOWN");

    @TempDir
    private Path folder;

    @Test
    void greenVerifyIsOk() throws Exception {
        try (var story = slurm("passed")) {
            assertThat(answer(story, "verify", "site.yaml", "--nagios"))
                    .isEqualTo("DEEPSITE OK - lab: 1 checks, none failed"
                            + " | checks=1 passed=1 failed=0;;0 busy=0 silent=0;;0 time=0s\n");
        }
    }

    @Test
    void failedCheckIsCriticalAndNamed() throws Exception {
        try (var story = slurm("passed")) {
            story.lxd.behaving((command, in, out, err) -> HostFaults.accept("failed", command, in, out, err));

            assertThat(answer(story, "verify", "site.yaml", "--nagios"))
                    .startsWith("DEEPSITE CRITICAL - lab: 1 of 1 checks failed: hpc srun on node: srun: error:")
                    .contains(" passed=0 failed=1;;0 ");
        }
    }

    @Test
    void silentHostIsCritical() throws Exception {
        try (var story = slurm("passed")) {
            story.lxd.silence("lab-node");

            assertThat(answer(story, "verify", "site.yaml", "--nagios"))
                    .startsWith("DEEPSITE CRITICAL - lab: DS3001")
                    .contains(" silent=1;;0 ");
            assertThat(answer(story, "drift", "site.yaml", "--nagios")).startsWith("DEEPSITE CRITICAL - lab: DS3001");
        }
    }

    @Test
    void siteWithoutClusterProvesNothing() throws Exception {
        try (var story = new FaultStory(folder)) {
            story.does("apply", "site.yaml", "--yes", "--quiet");

            assertThat(answer(story, "verify", "site.yaml", "--nagios"))
                    .isEqualTo("DEEPSITE UNKNOWN - lab: there is no cluster to verify\n");
        }
    }

    @Test
    void driftIsAWarning() throws Exception {
        try (var story = new FaultStory(folder)) {
            story.does("apply", "site.yaml", "--yes", "--quiet");
            assertThat(answer(story, "drift", "site.yaml", "--nagios"))
                    .isEqualTo("DEEPSITE OK - lab: everything is as applied | drift=0;0 silent=0;;0\n");

            story.lxd.things.remove("instances/lab-box");

            assertThat(answer(story, "drift", "site.yaml", "--nagios"))
                    .matches("DEEPSITE WARNING - lab: [0-9]+ changed outside deepsite, at [^|]+\\| drift=[1-9].*\n");
            assertThat(answer(story, "status", "site.yaml", "--nagios"))
                    .startsWith("DEEPSITE CRITICAL - lab: box gone; ")
                    .contains(" not_ready=1;;0");
        }
    }

    @Test
    void statusOfAVerifiedSiteIsOk() throws Exception {
        try (var story = slurm("passed")) {
            assertThat(answer(story, "status", "site.yaml", "--nagios", "--lease-warning", "8h"))
                    .startsWith("DEEPSITE OK - lab: 2 machines, verified | machines=2 not_ready=0;;0 verify_age=");
        }
    }

    @Test
    void statusIsAlsoWrittenAsMetrics() throws Exception {
        try (var story = slurm("passed")) {
            var file = folder.resolve("deepsite-site-lab.prom");

            answer(story, "status", "site.yaml", "--nagios", "--metrics", file.toString());

            assertThat(file)
                    .content()
                    .contains("\ndeepsite_site_machines{site=\"lab\",condition=\"ready\"} 2\n")
                    .contains("# TYPE deepsite_site_verify_passed gauge\ndeepsite_site_verify_passed{site=\"lab\"} 1\n")
                    .contains("\ndeepsite_site_interrupted_steps{site=\"lab\"} 0\n")
                    .doesNotContain("lease");
            assertThat(folder.resolve("deepsite-site-lab.prom.new")).doesNotExist();
        }
    }

    @Test
    void siteThatWasNeverAppliedIsUnknown() throws Exception {
        try (var story = new FaultStory(folder)) {
            assertThat(answer(story, "status", "site.yaml", "--nagios"))
                    .isEqualTo("DEEPSITE UNKNOWN - lab: nothing was applied\n");
        }
    }

    @Test
    void backEndThatDoesNotAnswerIsCritical() throws Exception {
        try (var story = new FaultStory(folder)) {
            story.does("apply", "site.yaml", "--yes", "--quiet");
            story.lxd.stop();

            assertThat(answer(story, "status", "site.yaml", "--nagios")).startsWith("DEEPSITE CRITICAL - DS2");
        }
    }

    @Test
    void whatIsWrongWithTheCallIsUnknown() throws Exception {
        try (var story = new FaultStory(folder)) {
            assertThat(answer(story, "verify", "nosuch.yaml", "--nagios")).startsWith("DEEPSITE UNKNOWN - DS1");
            assertThat(answer(story, "verify", "site.yaml", "--nagios", "--nosuch"))
                    .startsWith("DEEPSITE UNKNOWN - DS8001");
            assertThat(answer(story, "verify", "site.yaml", "--nagios", "--json"))
                    .startsWith("DEEPSITE UNKNOWN - DS8001");
        }
    }

    @Test
    void limitsOfTheLeaseNeedTheOption() throws Exception {
        try (var story = new FaultStory(folder)) {
            story.fails(2, "status", "site.yaml", "--lease-warning", "8h");

            assertThat(story.stderr()).contains("DS8001", "--nagios");
        }
    }

    private FaultStory slurm(String verdict) throws Exception {
        var story = new FaultStory(folder);
        story.siteOf(HostFaults.SLURM);
        story.lxd.behaving((command, in, out, err) -> HostFaults.accept(verdict, command, in, out, err));
        return story.does("apply", "site.yaml", "--yes", "--quiet");
    }

    private static String answer(FaultStory story, String... arguments) {
        var said = story.attempt(arguments);

        assertThat(story.stdout()).matches(LINE);
        assertThat(said.exit()).isEqualTo(STATES.indexOf(story.stdout().split(" ")[1]));
        assertThat(said.stderr()).isEmpty();
        return story.stdout();
    }
}
