package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Item;
import io.deepsite.plan.Plan;
import io.deepsite.report.Evidence;
import io.deepsite.site.load.Golden;
import io.deepsite.state.FileLastResults;
import io.deepsite.state.FileRuns;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.CheckResult.Verdict;
import io.deepsite.verify.VerifyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import tools.jackson.databind.json.JsonMapper;

class ReportCommandTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/report");
    private static final Instant BEGIN = Instant.parse("2026-01-02T01:00:00Z");
    private static final String HOSTILE = "\"></title><script>alert('x')</script><img src=x onerror=alert(1)>&\u202e";

    @TempDir
    private Path folder;

    private Path file = Path.of("");
    private StateFolder state = new StateFolder(Path.of(""));

    @BeforeEach
    void writeSite() throws IOException {
        file = Files.writeString(folder.resolve("site.yaml"), """
                apiVersion: deepsite/v1
                site: lab
                provider: {lxd: {pool: {name: nova}}}
                lease: {duration: 8h, max: 24h}
                machines:
                  head: {image: debian/12, cpus: 2, memory: 2GiB}
                  node:
                    image: debian/12
                    count: 4
                    gpus: [{vendor: nvidia, model: tesla-t4, count: 2}]
                clusters:
                  hpc: {kind: slurm, controller: head, compute: [node]}
                """);
        state = StateFolder.of(file, "lab");
    }

    @Test
    void showsAnAppliedSite() throws IOException {
        applied("");

        Golden.assertSame(GOLDEN.resolve("applied.html"), report().replace(Version.CURRENT, "VERSION"));
    }

    @Test
    void asksNobodyForAnything() throws IOException {
        applied("");

        var page = report();

        WellFormed.isAlone(page);
        assertThat(page).doesNotContain("http://", "https://", "src=", "//cdn");
    }

    @Test
    void whatComesFromAHostStaysText() throws IOException {
        applied(HOSTILE);

        var page = report();

        WellFormed.isAlone(page);
        assertThat(page).doesNotContain("<script", "<img", "\u202e");
        assertThat(WellFormed.read(page).getDocumentElement().getTextContent()).contains("<script>alert('x')</script>");
    }

    @Test
    void everyPictureHasATableAndWords() throws IOException {
        applied("");

        var page = WellFormed.read(report());

        assertThat(WellFormed.elements(page, "svg")).hasSize(2).allSatisfy(picture -> {
            assertThat(picture.getAttribute("role")).isEqualTo("img");
            for (var id : picture.getAttribute("aria-labelledby").split(" ")) {
                assertThat(WellFormed.elements(page, "*"))
                        .extracting(element -> element.getAttribute("id"))
                        .contains(id);
            }
        });
        assertThat(WellFormed.elements(page, "caption"))
                .extracting(Element::getTextContent)
                .containsExactly("Machines", "Networks", "Steps", "Checks", "Differences", "Lease");
        assertThat(WellFormed.elements(page, "*"))
                .extracting(element -> element.getAttribute("id"))
                .filteredOn(id -> !id.isEmpty())
                .doesNotHaveDuplicates();
    }

    /** A killed run leaves half a line, and steps that never ended. */
    @Test
    void aRunThatWasKilledSaysSo() throws IOException {
        var run = new FileRuns(state).begin(BEGIN);
        Files.writeString(run.make("events.ndjson"), """
                {"event":"phase","name":"Machines and configuration","steps":2,"time":"2026-01-02T01:00:00Z"}
                {"event":"started","step":"resource:instance/head","subject":"head","what":"create","time":"2026-01-02T01:00:00Z"}
                {"event":"started","step":"resource:instance/node-1","subject":"node-1","what":"create","time":"2026-01-02T01:00:04Z"}
                {"event":"ended","step":"resource:instance/hea""");

        var page = report();

        WellFormed.isAlone(page);
        assertThat(page).contains("The last run was stopped before its end.", "not finished");
    }

    @Test
    void aSiteThatWasNeverAppliedHasATopology() {
        var page = report();

        WellFormed.isAlone(page);
        assertThat(page)
                .contains(
                        "Nothing was applied yet.",
                        "Nobody looked for drift.",
                        "Nothing was verified since the last change",
                        "node-[1-4]",
                        "2 × nvidia tesla-t4",
                        "No lease");
        assertThat(state.path()).doesNotExist();
    }

    /** The results of another verify say nothing of this one. */
    @Test
    void resultsOfAnOlderVerifyAreNotShown() throws IOException {
        applied("");
        var store = new FileStateStore(state);
        store.write(store.read()
                .orElseThrow()
                .withVerify(new RecordedVerify("f", Outcome.PASSED, Instant.parse("2026-01-02T02:00:00Z"))));

        assertThat(report()).contains("were not kept").doesNotContain("sbatch ran an array");
    }

    @Test
    void namesTheFileInJson() {
        var bench = new Bench();
        var page = folder.resolve("page.html").toString();

        assertThat(bench.run("report", file.toString(), "-o", page, "--json")).isZero();
        assertThat(new JsonMapper().readTree(bench.out()).path("file").asString())
                .isEqualTo(page);
    }

    @Test
    void doesNotWriteOverTheSite() throws IOException {
        var before = Files.readString(file);
        var bench = new Bench();

        assertThat(bench.run("report", file.toString(), "-o", file.toString())).isEqualTo(2);
        assertThat(bench.err()).contains("DS8002");
        assertThat(file).hasContent(before);
    }

    private String report() {
        var page = folder.resolve("site.html");
        var bench = new Bench();
        assertThat(bench.run("report", file.toString(), "-o", page.toString()))
                .as(bench.err())
                .isZero();
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A head and four nodes; a step failed on the last one, and drift was found on two. */
    private void applied(String more) throws IOException {
        var run = new FileRuns(state).begin(BEGIN);
        Files.writeString(run.make("events.ndjson"), events(more));
        var next = SiteState.fresh("lab", "1.0").withLineage("lineage");
        next = next.withHost("head", host("10.0.0.2"));
        for (int i = 1; i <= 4; i++) {
            next = next.withHost("node-" + i, host("10.0.0." + (2 + i)).withAwaited(i == 4));
        }
        var verified = BEGIN.plusSeconds(64);
        new FileStateStore(state)
                .write(next.withApply(new RecordedApply(run.id(), Outcome.FAILED, BEGIN.plusSeconds(58)))
                        .withVerify(new RecordedVerify("f", Outcome.FAILED, verified))
                        .withLease(new RecordedLease(
                                BEGIN, Instant.parse("2026-01-02T09:00:00Z"), Instant.parse("2026-01-03T01:00:00Z"))));
        var evidence = new Evidence(new FileLastResults(state));
        evidence.keep(
                new VerifyReport(List.of(
                        check("controller", "", Verdict.PASSED, "slurm-wlm 22.05.8 answers" + more),
                        check("run", "node-1", Verdict.PASSED, "srun ran a task on node-1"),
                        check("run", "node-2", Verdict.PASSED, "srun ran a task on node-2"),
                        check("run", "node-3", Verdict.BUSY, "job 7 of alice runs"),
                        check("run", "node-4", Verdict.FAILED, "no answer"),
                        check("batch-array", "", Verdict.PASSED, "sbatch ran an array of 4 jobs"))),
                verified,
                _ -> {});
        evidence.keep(
                new Evidence.Drift(
                        BEGIN.plusSeconds(3600),
                        List.of(
                                new Plan.Drift(
                                        "", "", "instance/head", List.of(new Item.Difference("limits.cpu", "1", "2"))),
                                motd("node-1", more),
                                motd("node-2", more)),
                        List.of("a host does not answer over SSH. node-4 did not answer." + more)),
                _ -> {});
    }

    private static Plan.Drift motd(String host, String more) {
        return new Plan.Drift(
                host, "motd", "file:/etc/motd" + more, List.of(new Item.Difference("mode", "0600", "0644" + more)));
    }

    private static RecordedHost host(String address) {
        return new RecordedHost(
                address,
                22,
                "root",
                null,
                new TreeMap<>(Map.of(
                        "munge",
                        new RecordedRole(
                                "hpc.munge", List.of(), "f", new JsonMapper().createObjectNode(), List.of()))));
    }

    private static CheckResult check(String id, String node, Verdict verdict, String message) {
        return new CheckResult("hpc", id, verdict, Optional.of(node).filter(name -> !name.isEmpty()), 0.4, message);
    }

    private static String events(String more) {
        var lines = new StringBuilder();
        line(lines, 0, Map.of("event", "phase", "name", "Machines and configuration", "steps", 11));
        made(lines, "volume/hpc-home", 0, 1, "");
        made(lines, "head", 1, 9, "");
        for (int i = 1; i <= 4; i++) {
            made(lines, "node-" + i, 1, 9 + i, i == 4 ? "no space left" + more : "");
        }
        configured(lines, "head", "hpc.munge", 9, 14);
        configured(lines, "head", "hpc.slurm_controller", 14, 33);
        for (int i = 1; i <= 3; i++) {
            configured(lines, "node-" + i, "hpc.munge", 9 + i, 15 + i);
            configured(lines, "node-" + i, "hpc.slurm_node", 33, 40 + 4 * i);
        }
        line(
                lines,
                53,
                Map.of(
                        "event",
                        "ended",
                        "step",
                        "hpc.slurm_node@node-4",
                        "subject",
                        "node-4",
                        "outcome",
                        "BLOCKED",
                        "message",
                        "",
                        "took",
                        "PT0S"));
        line(lines, 53, Map.of("event", "phase", "name", "Verify", "steps", 1));
        line(
                lines,
                58,
                Map.of(
                        "event",
                        "check",
                        "cluster",
                        "hpc",
                        "id",
                        "controller",
                        "outcome",
                        "passed",
                        "node",
                        "",
                        "message",
                        ""));
        return lines.toString();
    }

    private static void made(StringBuilder lines, String subject, int from, int to, String fault) {
        step(
                lines,
                "resource:" + (subject.contains("/") ? subject : "instance/" + subject),
                subject,
                "create",
                from,
                to,
                fault);
    }

    private static void configured(StringBuilder lines, String host, String stage, int from, int to) {
        step(lines, stage + "@" + host, host, stage.substring(stage.indexOf('.') + 1), from, to, "");
    }

    private static void step(
            StringBuilder lines, String step, String subject, String what, int from, int to, String fault) {
        line(lines, from, Map.of("event", "started", "step", step, "subject", subject, "what", what));
        line(
                lines,
                to,
                Map.of(
                        "event",
                        "ended",
                        "step",
                        step,
                        "subject",
                        subject,
                        "outcome",
                        fault.isEmpty() ? "DONE" : "FAILED",
                        "message",
                        fault,
                        "took",
                        "PT" + (to - from) + "S"));
    }

    private static void line(StringBuilder lines, int second, Map<String, Object> event) {
        var fields = new TreeMap<String, Object>(event);
        fields.put("time", BEGIN.plusSeconds(second).toString());
        lines.append(new JsonMapper().writeValueAsString(fields)).append('\n');
    }
}
