package io.deepsite.operations;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Any number of sites of machines, {@code provider: {fake: {}}}, in one cloud in memory. Any thread may open them. */
public final class MemorySites {
    private final FakeProvider.Cloud cloud = new FakeProvider.Cloud();
    private final Map<String, ElasticHosts> hosts = new ConcurrentHashMap<>();
    private volatile Optional<Map.Entry<String, Failure>> failing = Optional.empty();

    public static ClusterKinds kinds() {
        return new ClusterKinds(List.of(new ElasticKind()), List.of(new FakeProviderFactory()));
    }

    /** Each site that is opened from now on fails the first such call; empty: none does. */
    public void fail(Optional<Map.Entry<String, Failure>> call) {
        failing = call;
    }

    public SiteContext open(Path file, Map<String, String> set, RuntimeContext runtime) {
        return open(file, set, runtime, _ -> {});
    }

    /** @param before each call, see {@link FakeProvider#beforeEach} */
    public SiteContext open(Path file, Map<String, String> set, RuntimeContext runtime, Consumer<String> before) {
        var loaded = runtime.kinds().loader().load(file, set);
        var name = loaded.orFail().name().value();
        var remote = hosts.computeIfAbsent(
                name, site -> new ElasticHosts(new MemoryHosts(machine -> inside(site + "-" + machine))));
        return new SiteContext(
                file,
                loaded,
                runtime,
                _ -> {
                    var provider = new FakeProvider(cloud);
                    provider.showBoot();
                    provider.beforeEach(before);
                    failing.ifPresent(call -> provider.failNext(call.getKey(), call.getValue()));
                    return provider;
                },
                remote,
                KillableSite.IN_CLEAR);
    }

    /** Those of a site that was opened. */
    public ElasticHosts hosts(String site) {
        return Objects.requireNonNull(hosts.get(site), site);
    }

    /** All that the cloud holds. */
    public List<String> things() {
        return List.copyOf(cloud.names());
    }

    private Map<String, String> inside(String machine) {
        return cloud.names().contains("instance/" + machine)
                ? cloud.boot(machine).files().stream()
                        .collect(Collectors.toMap(Boot.BootFile::path, Boot.BootFile::content))
                : Map.of();
    }
}
