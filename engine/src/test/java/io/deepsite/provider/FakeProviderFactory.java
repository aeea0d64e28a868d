package io.deepsite.provider;

import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** The provider {@code fake}, for sites of tests that read a site.yaml. */
public final class FakeProviderFactory implements ProviderFactory<FakeSettings> {
    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Class<FakeSettings> settings() {
        return FakeSettings.class;
    }

    @Override
    public void check(CheckContext context, FakeSettings settings) {}

    @Override
    public Provider open(FakeSettings settings, Path folder) {
        return new FakeProvider();
    }

    @Override
    public SortedMap<String, String> recorded(FakeSettings settings) {
        return new TreeMap<>();
    }
}
