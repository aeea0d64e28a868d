package io.deepsite.cli;

import io.deepsite.lxd.LxdProviderFactory;
import io.deepsite.lxd.LxdSettings;
import io.deepsite.operations.MemoryBackEnd;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** The complete LXD provider, with {@link FakeLxd}. */
final class LxdInMemory implements MemoryBackEnd {
    private final FakeLxd lxd;
    private final String storage;
    private final String network;

    /**
     * @param pool an existing one ("nova"), or the name of a new one
     * @param network an existing one ("lxdbr0"), or the name of a new one
     */
    LxdInMemory(Path folder, String pool, String network) {
        this.lxd = new FakeLxd(folder, "10.7.7", 22).withoutHosts();
        this.storage = pool;
        this.network = network;
        lxd.add("images/beef", "{'fingerprint':'beef','size':1,'properties':{},'aliases':[{'name':'debian/13'}]}");
        lxd.start();
    }

    @Override
    public String settings() {
        return "{lxd: {endpoint: \"unix://%s\", pool: {name: %s}, network: %s}}"
                .formatted(lxd.socket(), storage, network);
    }

    @Override
    public ProviderFactory<?> factory() {
        return new LxdProviderFactory();
    }

    @Override
    public List<String> images() {
        return List.of("debian/12", "debian/13");
    }

    @Override
    public Provider open(ProviderSettings settings, Path siteFolder) {
        return new LxdProviderFactory().open((LxdSettings) settings, siteFolder);
    }

    @Override
    public List<String> things() {
        return lxd.contents();
    }

    @Override
    public Map<String, String> inside(String machine) {
        synchronized (lxd) {
            var name = "lab-" + machine;
            return lxd.things.containsKey("instances/" + name)
                    ? Map.copyOf(lxd.files.getOrDefault(name, Map.of()))
                    : Map.of();
        }
    }

    @Override
    public String digest() {
        synchronized (lxd) {
            return lxd.things.toString() + lxd.files;
        }
    }

    @Override
    public Runnable keep() {
        synchronized (lxd) {
            var things = new TreeMap<String, ObjectNode>();
            lxd.things.forEach((path, thing) -> things.put(path, thing.deepCopy()));
            var files = new TreeMap<String, Map<String, String>>();
            lxd.files.forEach((name, inside) -> files.put(name, Map.copyOf(inside)));
            return () -> set(things, files);
        }
    }

    private void set(Map<String, ObjectNode> things, Map<String, Map<String, String>> files) {
        synchronized (lxd) {
            lxd.things.clear();
            things.forEach((path, thing) -> lxd.things.put(path, thing.deepCopy()));
            lxd.files.clear();
            files.forEach((name, inside) -> lxd.files.put(name, new LinkedHashMap<>(inside)));
        }
    }

    @Override
    public void close() {
        try {
            lxd.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
