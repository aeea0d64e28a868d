package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.opennebula.OpenNebulaSite;
import io.deepsite.contract.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Device files of cards that were bound before the udev rule was installed: the rule alone does not change them. */
class KvmHostDevicesTest {
    @TempDir
    private Path devices;

    @Test
    void aHostWithoutSuchFilesHasNothingToDo() throws Exception {
        assertThat(exit()).isZero();
    }

    @Test
    void aFileThatIsNotOfTheGroupIsSeen() throws Exception {
        Files.createFile(devices.resolve("12"));

        assertThat(exit()).isEqualTo(1);
    }

    @Test
    void ignoresTheDeviceThatEveryProcessOpens() throws Exception {
        Files.createFile(devices.resolve("vfio"));

        assertThat(exit()).isZero();
    }

    @Test
    void nothingInAContainerRunsUdev() {
        assertThat(actions(true)).noneMatch(action -> action.id().equals("devices"));
    }

    private int exit() throws Exception {
        var argv = actions(false).stream()
                .filter(action -> action.id().equals("devices"))
                .findFirst()
                .orElseThrow()
                .done()
                .stream()
                .map(word -> word.equals("/dev/vfio") ? devices.toString() : word)
                .toList();
        return new ProcessBuilder(argv).start().waitFor();
    }

    private static List<Action> actions(boolean container) {
        var machines = OpenNebulaSite.machines().stream()
                .map(machine -> machine.measured(machine.cpus(), machine.memoryMebibytes(), container))
                .toList();
        return OneRole.of(OpenNebulaSite.site("6.10", ""), machines, "opennebula_kvm_host", "kvm-1")
                .contract()
                .actions();
    }
}
