package io.deepsite.statics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the real ansible-inventory. */
class StaticInventoryIT {
    private final InventoryProgram program = new InventoryProgram("ansible-inventory", InventoryProgram.PATIENCE);

    @TempDir
    private Path folder;

    @Test
    void readsTheInventoryOfTheExample() {
        var inventory = program.read(Path.of("../site-examples/slurm-static/hosts.yml")
                .toAbsolutePath()
                .normalize());

        assertThat(inventory.groups()).containsExactly("head", "node");
        assertThat(inventory.hosts("node")).containsExactly("node1", "node2");
        assertThat(inventory.variable("node1", "ansible_host")).contains("192.0.2.11");
    }

    @Test
    void readsTheIniFormat() throws IOException {
        var file = Files.writeString(folder.resolve("hosts"), "[node]\nnode[1:3] ansible_port=2222\n");

        var inventory = program.read(file);

        assertThat(inventory.hosts("node")).containsExactly("node1", "node2", "node3");
        assertThat(inventory.variable("node3", "ansible_port")).contains("2222");
    }

    @Test
    void saysWhatAnsibleSaysOfABrokenFile() throws IOException {
        var file = Files.writeString(folder.resolve("hosts.yml"), "all:\n  children:\n  node: [x\n");

        assertThatThrownBy(() -> program.read(file)).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.INVENTORY_UNREADABLE);
            assertThat(failure.diagnostics().getFirst().why())
                    .contains("Failed to parse")
                    .doesNotContain("\n");
        });
    }
}
