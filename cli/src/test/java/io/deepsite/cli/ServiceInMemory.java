package io.deepsite.cli;

import io.deepsite.operations.MemorySites;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.service.Service;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/** A service on a port of its own, with a cloud in memory. */
final class ServiceInMemory implements AutoCloseable {
    final MemorySites cloud = new MemorySites();
    /** Runs before each call of the cloud, on its thread. */
    volatile Consumer<String> before = _ -> {};

    private final Service service;

    /** @param login lines of service.yaml; empty: it has the test login */
    ServiceInMemory(Path folder, String login) throws IOException {
        var file = write(folder.resolve("service.yaml"), """
                listen: 127.0.0.1:0
                projects:
                  biology:
                    members: {users: [biologists], managers: [heads]}
                    quota: {machines: 4}
                    ownSites: {by: users, base: own.yaml, images: [debian/12]}
                  physics:
                    members: {users: [physicists]}
                """ + login);
        write(folder.resolve("own.yaml"), "provider: {fake: {}}\nlease: {duration: 1h, max: 2h}\n");
        write(folder.resolve("catalogue/hpc/template.yaml"), "title: A cluster\ndescription: To compute.\n");
        write(folder.resolve("catalogue/hpc/site.yaml"), """
                apiVersion: deepsite/v1
                site: template
                provider: {fake: {}}
                lease: {duration: "${time}", max: 8h}
                parameters:
                  nodes: {type: integer, default: 1, min: 1, max: 16, description: How many machines}
                  image: {type: string, default: debian/12, choices: [debian/12, debian/13]}
                  time: {type: time, default: 2h}
                machines:
                  node: {image: "${image}", cpus: 2, memory: 1GiB, count: "${nodes}"}
                """);
        service = Service.start(
                file,
                login.isEmpty(),
                runtime(folder),
                (site, set, runtime) -> cloud.open(site, set, runtime, call -> before.accept(call)));
    }

    private static RuntimeContext runtime(Path folder) {
        return new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of(),
                folder,
                folder.resolve("root"),
                InstantSource.system(),
                SshTimes.USUAL,
                MemorySites.kinds(),
                FileStores::new,
                _ -> {});
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    String url() {
        return service.seen().toString();
    }

    @Override
    public void close() {
        service.close();
    }
}
