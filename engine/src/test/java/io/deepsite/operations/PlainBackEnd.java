package io.deepsite.operations;

import io.deepsite.provider.Boot;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@link FakeProvider}: each of its calls is one change. Its machines make host keys of their own. */
public final class PlainBackEnd implements MemoryBackEnd {
    private final FakeProvider.Cloud cloud = new FakeProvider.Cloud();

    @Override
    public String settings() {
        return "{fake: {}}";
    }

    @Override
    public ProviderFactory<?> factory() {
        return new FakeProviderFactory();
    }

    @Override
    public List<String> images() {
        return List.of("debian/12", "debian/13");
    }

    @Override
    public Provider open(ProviderSettings settings, Path siteFolder) {
        var provider = new FakeProvider(cloud);
        provider.showBoot();
        return provider;
    }

    @Override
    public List<String> things() {
        return cloud.names();
    }

    @Override
    public Map<String, String> inside(String machine) {
        var name = "lab-" + machine;
        return cloud.names().contains("instance/" + name)
                ? cloud.boot(name).files().stream()
                        .collect(Collectors.toMap(Boot.BootFile::path, Boot.BootFile::content))
                : Map.of();
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public String digest() {
        return cloud.toString();
    }

    @Override
    public Runnable keep() {
        return cloud.keep();
    }
}
