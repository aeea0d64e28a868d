package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link FakeProvider}: each of its calls is one change. Its machines make host keys of their own. */
public final class PlainBackEnd implements MemoryBackEnd {
    private final FakeProvider.Cloud cloud = new FakeProvider.Cloud();
    private Optional<String> failing = Optional.empty();
    private Optional<String> passing = Optional.empty();
    private boolean withoutDisks;

    /** Each provider that is opened from now on fails the first such call. */
    void failNext(String call) {
        failing = Optional.of(call);
    }

    /** SSH reaches the other machines only through this one. */
    void passThrough(String machine) {
        passing = Optional.of(machine);
    }

    /** No machine has a disk of which an image could be made. */
    void giveNoDisks() {
        withoutDisks = true;
    }

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
        passing.ifPresent(provider::passThrough);
        if (withoutDisks) {
            provider.giveNoDisks();
        }
        failing.ifPresent(call -> provider.failNext(
                call, new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "The test refuses it.", ""))));
        return provider;
    }

    @Override
    public List<String> things() {
        var things = new ArrayList<>(cloud.names());
        cloud.baked().forEach((image, of) -> things.add("image " + image + " of " + of));
        return things;
    }

    @Override
    public Map<String, String> inside(String machine) {
        return Stream.of("lab-" + machine, "lab-bake-" + machine)
                .filter(name -> cloud.names().contains("instance/" + name))
                .findFirst()
                .map(name -> cloud.boot(name).files().stream()
                        .collect(Collectors.toMap(Boot.BootFile::path, Boot.BootFile::content)))
                .orElse(Map.of());
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
