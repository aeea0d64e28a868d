package io.deepsite.statics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Tags;
import io.deepsite.remote.Executable;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the real ansible-inventory. */
class StaticInventoryIT {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJvU6nGmNcbCzBvRmLPrFyQRKpzZdAOdhSfKVH1GrYXx";

    private final InventoryProgram program = new InventoryProgram("ansible-inventory", InventoryProgram.PATIENCE);

    @TempDir
    private Path folder;

    static List<Path> examples() throws IOException {
        try (var folders = Files.list(Path.of("../site-examples"))) {
            return folders.map(folder -> folder.resolve("site.yaml"))
                    .filter(file -> TestSites.load(file, Map.of()).orFail().provider() instanceof StaticSettings)
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void findsTheMachinesOfAnExampleInItsInventory(Path file) throws IOException {
        var site = TestSites.load(file, Map.of()).orFail();
        var inventory = file.toAbsolutePath()
                .resolveSibling(((StaticSettings) site.provider()).inventory())
                .normalize();
        var hosts = program.read(inventory);
        var names = site.machines().keySet().stream()
                .flatMap(group -> hosts.hosts(group.value()).stream())
                .toList();
        var keys = names.stream()
                .map(host -> hosts.variable(host, "ansible_host").orElseThrow() + " " + KEY)
                .toList();
        var known = Files.write(folder.resolve("known_hosts"), keys);

        var machines = new StaticProvider(inventory, program, List.of(known))
                .survey(new Tags.Scope.OneSite(site.name()))
                .compile(site, TestSites.requirements(site))
                .machines();

        assertThat(machines).extracting(Machine::name).containsExactlyElementsOf(names);
    }

    @Test
    void hasNoInventoryThatNoExampleUses() throws IOException {
        var used = examples().stream()
                .map(file -> file.resolveSibling(((StaticSettings)
                                        TestSites.load(file, Map.of()).orFail().provider())
                                .inventory())
                        .normalize())
                .toList();

        try (var files = Files.list(Path.of("../inventories"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".yml"))).allMatch(used::contains);
        }
    }

    @Test
    void readsTheIniFormat() throws IOException {
        var file = Files.writeString(folder.resolve("hosts"), "[node]\nnode[1:3] ansible_port=2222\n");

        var inventory = program.read(file);

        assertThat(inventory.hosts("node")).containsExactly("node1", "node2", "node3");
        assertThat(inventory.variable("node3", "ansible_port")).contains("2222");
    }

    @Test
    void ofFilesAloneItRunsNoProgram() throws IOException {
        var file = Files.writeString(folder.resolve("hosts"), "[node]\nnode[1:3]\n");
        var ran = folder.resolve("ran");
        var inventory = Executable.write(folder.resolve("inventory"), """
                #!/bin/sh
                : >%s
                echo '{"_meta": {"hostvars": {"n": {}}}, "node": {"hosts": ["n"]}}'
                """.formatted(ran));
        var files = InventoryProgram.ofFiles("ansible-inventory", InventoryProgram.PATIENCE);

        assertThat(files.read(file).hosts("node")).hasSize(3);
        assertThat(StaticProviderFactory.listed(files, inventory, List.of(new Name("node"))))
                .isEmpty();
        assertThat(ran).doesNotExist();
        assertThat(program.read(inventory).hosts("node")).containsExactly("n");
        assertThat(ran).exists();
    }

    @Test
    void reportsAnsiblesMessageForABrokenFile() throws IOException {
        var file = Files.writeString(folder.resolve("hosts.yml"), "all:\n  children:\n  node: [x\n");

        assertThatThrownBy(() -> program.read(file)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.INVENTORY_UNREADABLE);
            assertThat(failure.diagnostics().getFirst().why())
                    .contains("Failed to parse")
                    .doesNotContain("\n");
        });
    }
}
