package io.deepsite.operations;

import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A back-end in memory that a test can set back to what it was. */
public interface MemoryBackEnd extends AutoCloseable {
    /** The provider of its settings. */
    ProviderFactory<?> factory();

    /** What site.yaml has of it, in YAML's flow form: {@code {lxd: {network: br}}}. */
    String settings();

    /** The same with a data disk for each machine, where only its settings ask for one. */
    default String withDisk() {
        return settings();
    }

    /** Two images that it has. */
    List<String> images();

    Provider open(ProviderSettings settings, Path siteFolder);

    /** All that it holds, of ours or not, in its own words. */
    List<String> things();

    /** A portrait of the site without what only the moment decides. */
    default String comparable(String portrait) {
        return portrait;
    }

    /** Files that a machine was given, by path; empty when it is not there. */
    Map<String, String> inside(String machine);

    /** Whether its provider sends no requests, so that each of its changes is one. */
    default boolean isPlain() {
        return false;
    }

    /** Changes with all that it holds. */
    String digest();

    /** @return brings back what it holds now */
    Runnable keep();

    @Override
    default void close() {}
}
