package io.deepsite.cli;

import io.deepsite.opennebula.OpenNebulaProviderFactory;
import io.deepsite.opennebula.OpenNebulaSettings;
import io.deepsite.opennebula.StandIn;
import io.deepsite.operations.MemoryBackEnd;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.provider.Resource;
import io.deepsite.site.ProviderSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The complete OpenNebula provider, with its stand-in. */
final class OpenNebulaInMemory implements MemoryBackEnd {
    private final Path file;
    private StandIn front;
    /** The boot data of machines, which the stand-in keeps only as a template. */
    private final Map<String, Boot> boots = new ConcurrentHashMap<>();

    OpenNebulaInMemory(Path folder) {
        this.file = folder.resolve("front");
        this.front = StandIn.start("6.8.3", file)
                .startingAtOnce()
                .withNetwork("loop", "10.8.8.1", 8)
                .withImage("debian-13");
    }

    @Override
    public String settings() {
        return settings("");
    }

    @Override
    public String withDisk() {
        return settings(", groups: {node: {volumes: {data: {size: 1GiB}}}}");
    }

    private String settings(String more) {
        return "{opennebula: {endpoint: \"%s\", network: {existing: loop}%s}}".formatted(front.url(), more);
    }

    @Override
    public ProviderFactory<?> factory() {
        return new OpenNebulaProviderFactory();
    }

    @Override
    public List<String> images() {
        return List.of("debian-12", "debian-13");
    }

    @Override
    public Provider open(ProviderSettings settings, Path siteFolder) {
        var provider = front.provider((OpenNebulaSettings) settings);
        return (Provider) Proxy.newProxyInstance(
                Provider.class.getClassLoader(), new Class<?>[] {Provider.class}, (_, method, arguments) -> {
                    if (method.getName().equals("create")
                            && arguments[0] instanceof Resource resource
                            && !front.names("vm").contains(resource.name())) {
                        boots.put(resource.name(), (Boot) arguments[2]);
                    }
                    try {
                        return method.invoke(provider, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    @Override
    public List<String> things() {
        return front.things();
    }

    /** The free address depends on whether OpenNebula has already released the old machine's. */
    @Override
    public String comparable(String portrait) {
        return portrait.replaceAll("\\b10\\.8\\.8\\.\\d+", "ADDRESS");
    }

    @Override
    public Map<String, String> inside(String machine) {
        return Stream.of("lab-" + machine, "lab-bake-" + machine)
                .filter(name -> front.names("vm").contains(name) && boots.containsKey(name))
                .findFirst()
                .map(name -> Objects.requireNonNull(boots.get(name)).files().stream()
                        .collect(Collectors.toMap(Boot.BootFile::path, Boot.BootFile::content)))
                .orElse(Map.of());
    }

    @Override
    public String digest() {
        return new String(bytes(), StandardCharsets.ISO_8859_1);
    }

    private byte[] bytes() {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Runnable keep() {
        var kept = bytes();
        var keptBoots = new HashMap<>(boots);
        return () -> {
            try {
                Files.write(file, kept);
                front = front.restart(file).startingAtOnce();
                boots.clear();
                boots.putAll(keptBoots);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    @Override
    public void close() {
        front.close();
    }
}
