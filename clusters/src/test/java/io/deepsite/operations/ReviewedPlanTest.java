package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.slurm.SlurmKind;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kind refuses of a plan, and what it is shown of it. */
class ReviewedPlanTest {
    private static final HostFacts FACTS = new HostFacts(
            "debian", "12", "bookworm", 1, 1024, "x86_64", "head", "6.1", "", "b", Optional.empty(), 0, true);
    private static final ClusterKinds KINDS =
            new ClusterKinds(List.of(new SlurmKind()), List.of(new FakeProviderFactory()));

    @TempDir
    private Path folder;

    private final MemorySites sites = new MemorySites();

    @Test
    void isRefusedBeforeAMachineIsMade() {
        try (var context = open("debian/13")) {
            var refused = catchThrowableOfType(Failure.class, () -> new PlanOperation(context).plan());

            assertThat(refused.diagnostics())
                    .extracting(
                            Diagnostic::code,
                            fault -> fault.where() == null ? "" : fault.where().path())
                    .containsExactly(tuple(Code.RELEASE_OF_IMAGE, "machines.node.image"));
            assertThat(sites.things()).isEmpty();
        }
    }

    @Test
    void showsWhatAProbePrintedOnTheHosts() {
        assertThat(faults(Seen.of(Map.of("rc", 0, "stdout", "24.11")))).containsExactly(Code.RELEASE_BACK);
        assertThat(faults(Seen.of(Map.of("rc", 0, "stdout", "")))).isEmpty();
    }

    @Test
    void aProbeThatFailedShowsNothing() {
        assertThat(faults(Seen.of(Map.of("rc", 127, "stdout", "24.11")))).isEmpty();
        assertThat(faults(Seen.unknown("it was cut off"))).isEmpty();
    }

    private List<Code> faults(Seen seen) {
        try (var context = open("debian/12")) {
            var items = new TreeMap<>(Map.of("probe:other-releases-of-slurm", seen));
            var answer = new ProbeAnswer(FACTS, items, new TreeSet<>(), new TreeMap<>());
            var plan = new ReviewedPlan(new PlanOperation(context).plan(), Map.of("head", answer), context.loaded());
            var told = new ArrayList<Diagnostic>();
            try {
                plan.review(KINDS, told::add);
                assertThat(told).isEmpty();
                return List.of();
            } catch (Failure e) {
                return e.diagnostics().stream().map(Diagnostic::code).toList();
            }
        }
    }

    private SiteContext open(String imageOfNodes) {
        var file = folder.resolve("site.yaml");
        try {
            Files.writeString(file, """
                    apiVersion: deepsite/v1
                    site: lab
                    provider: {fake: {}}
                    machines:
                      head: {image: debian/12, cpus: 1, memory: 1GiB}
                      node: {image: %s, cpus: 1, memory: 1GiB}
                    clusters:
                      hpc: {kind: slurm, controller: head, compute: [node], version: "22.05", home: {shared: false}}
                    """.formatted(imageOfNodes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of(),
                folder,
                folder.resolve("root"),
                () -> Instant.parse("2026-01-01T00:00:00Z"),
                SshTimes.USUAL,
                KINDS,
                FileStores::new,
                _ -> {});
        return sites.open(file, Map.of(), runtime);
    }
}
