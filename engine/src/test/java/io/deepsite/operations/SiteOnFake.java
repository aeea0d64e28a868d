package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Tags;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.FileStores;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.SiteState;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The site "lab" of two machines on a back-end in memory, with a state folder of its own. */
final class SiteOnFake implements AutoCloseable {
    final FakeProvider provider = new FakeProvider();
    final SiteContext context;
    final FileStateStore store;
    final Path folder;

    SiteOnFake(Path folder) {
        this(folder, FileStores::new);
    }

    SiteOnFake(Path folder, SiteStores.Factory stores) {
        this.folder = folder;
        var file = folder.resolve("site.yaml");
        try {
            Files.writeString(file, """
                    apiVersion: deepsite/v1
                    site: lab
                    provider: {fake: {}}
                    machines:
                      one: {image: debian/12, cpus: 1, memory: 1GiB}
                      two: {image: debian/12, cpus: 1, memory: 1GiB}
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var kinds = new ClusterKinds(List.of(), List.of(new FakeProviderFactory()));
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of(),
                folder,
                folder.resolve("root"),
                () -> Instant.parse("2026-01-01T00:00:00Z"),
                SshTimes.USUAL,
                kinds,
                stores,
                _ -> {});
        this.context = new SiteContext(file, kinds.loader().load(file, Map.of()), runtime, _ -> provider);
        this.store = new FileStateStore(StateFolder.of(file, "lab"));
    }

    SiteState fresh() {
        return SiteState.fresh("lab", "1.0");
    }

    /** All that the site has on the back-end, made by an apply with a state of this lineage. */
    void make(String lineage) {
        make(lineage, Optional.empty());
    }

    void make(String lineage, Optional<Tags.Lease> lease) {
        context.surveyAnywhere()
                .compile(context.site(), new Requirements(Map.of(), List.of()))
                .resources()
                .forEach(resource -> provider.create(
                        resource, new Tags(context.site().name(), lineage, lease), Boot.NONE, Call.QUIET));
        provider.forgetCalls();
    }

    /** As an apply records what it has made. */
    SiteState recordAll(SiteState state) {
        var next = state;
        for (var resource : context.surveyAnywhere().owned()) {
            next = next.withResource(
                    resource.id().toString(),
                    new RecordedResource(
                            resource.id().kind(), resource.name(), new TreeMap<>(resource.attributes()), List.of()));
        }
        return store.write(next);
    }

    @Override
    public void close() {
        context.close();
    }
}
