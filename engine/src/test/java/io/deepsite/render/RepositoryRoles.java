package io.deepsite.render;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The roles of this repository, and every way in which a rich site calls them. */
final class RepositoryRoles {
    static final DeepsiteHome HOME = DeepsiteHome.find();

    /** One role on one host. */
    record Use(String role, Machine machine, Map<String, Object> variables) {}

    private RepositoryRoles() {}

    static List<String> names() {
        return children(HOME.roles());
    }

    /** Paths below templates/. */
    static List<String> templates() {
        try (var files = Files.walk(HOME.templates())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> HOME.templates().relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Use> uses() {
        var site = SiteLoader.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12, cpus: 2, memory: 2GiB}
                          node: {count: 2, image: debian/12}
                        users:
                          ann: {uid: 2001, groups: [physics], name: Ann Example}
                          bob: {uid: 2002}
                        clusters:
                          hpc:
                            kind: slurm
                            controller: head
                            compute: [node]
                            partitions:
                              short: {default: true, maxTime: 90m, defaultTime: 10m}
                              long: {maxTime: 2d, maxNodes: 1, allowGroups: [physics]}
                        """, Map.of()).orFail();
        var uses = new ArrayList<Use>();
        uses.add(new Use("motd", machine("head", "head", true, 0), Map.of()));
        for (var container : List.of(true, false)) {
            var machines = machines(container);
            for (var stage : SiteStages.of(site, machines)) {
                for (var machine : machines) {
                    var variables = stage.variables().get(machine.name());
                    if (variables != null) {
                        uses.add(new Use(stage.role(), machine, variables));
                    }
                }
            }
        }
        return uses;
    }

    static List<Machine> machines(boolean container) {
        return List.of(
                machine("head", "head", container, 0),
                machine("node-1", "node", container, 0),
                machine("node-2", "node", container, 2));
    }

    private static Machine machine(String name, String group, boolean container, int gpus) {
        var cards = new ArrayList<Machine.Gpu>();
        for (int i = 0; i < gpus; i++) {
            cards.add(new Machine.Gpu("nvidia", "tesla-k20m", "0000:17:00." + i, "/dev/nvidia" + i));
        }
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                Optional.of("10.0.0." + (name.length() + gpus)),
                22,
                "root",
                2,
                1027,
                container,
                container ? "lxd" : "static",
                cards,
                Optional.empty());
    }

    private static List<String> children(Path folder) {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
