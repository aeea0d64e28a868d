package io.deepsite.operations;

import io.deepsite.TestSites;
import io.deepsite.plan.Desired;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Planner;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.provider.Design;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.Tags;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Site;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Reads, renders and plans a new Slurm site, on the provider in memory. Run by {@code benchmarks/run jmh}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SiteBenchmark {
    private static final Path FILE = Path.of("../benchmarks/scale.yaml");

    @Param({"100", "1000"})
    int nodes = 1;

    private @Nullable Prepared prepared;

    private record Prepared(String text, Site site, Design design, Desired desired) {}

    @Setup
    public void prepare() throws IOException {
        var text = Files.readString(FILE);
        var site = loaded(text).orFail();
        var design = new FakeProvider()
                .survey(new Tags.Scope.OneSite(site.name()))
                .compile(site, TestSites.requirements(site));
        prepared = new Prepared(text, site, design, rendered(site, design));
    }

    @Benchmark
    public LoadResult load() {
        return loaded(prepared().text());
    }

    /** Contracts of all roles on all hosts, with every file. */
    @Benchmark
    public Desired render() {
        return rendered(prepared().site(), prepared().design());
    }

    @Benchmark
    public Plan plan() {
        var site = prepared().site();
        return Planner.plan(new Planner.Input(
                site.name(),
                Optional.empty(),
                "1.0",
                SiteState.fresh(site.name().value(), "1.0"),
                prepared().desired(),
                List.of(),
                Map.of(),
                Map.of(),
                UnknownResolver.NOTHING,
                Set.of(),
                false));
    }

    private Prepared prepared() {
        return Objects.requireNonNull(prepared);
    }

    private LoadResult loaded(String text) {
        return TestSites.load(FILE.toString(), text, Map.of("nodes", Integer.toString(nodes)));
    }

    /** The cache of rendered templates stays empty: it is of a site without a state. */
    private static Desired rendered(Site site, Design design) {
        var home = DeepsiteHome.find();
        return new DesiredStateBuilder(site, TestSites.ALL, home, Map.of())
                .from(design, new KeptRendering(StateFolder.of(FILE, "of-no-site"), home));
    }
}
