package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import io.deepsite.remote.HostFacts;
import io.deepsite.site.Name;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MachineCheckTest {
    @Test
    void tellsWhatAMachineLacks() {
        var faults = MachineCheck.tooSmall(machine(4, 2048), facts(2, 1900));

        Golden.assertSame(
                Path.of("src/test/resources/golden/apply/machine-too-small.txt"),
                faults.stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n")));
    }

    @Test
    void allowsWhatTheKernelKeepsForItself() {
        assertThat(MachineCheck.tooSmall(machine(4, 2048), facts(4, 1945))).isEmpty();
        assertThat(MachineCheck.tooSmall(machine(4, 2048), facts(4, 1944))).hasSize(1);
    }

    @Test
    void aGuestOfTheSmallestFlavorIsWhatWasAsked() {
        assertThat(MachineCheck.tooSmall(machine(1, 512), facts(1, 470))).isEmpty();
        assertThat(MachineCheck.tooSmall(machine(1, 512), facts(1, 420))).hasSize(1);
    }

    @Test
    void holdsNothingAgainstAMachineThatDoesNotTell() {
        assertThat(MachineCheck.tooSmall(machine(4, 2048), facts(0, 0))).isEmpty();
    }

    private static Machine machine(int cpus, long memory) {
        return new Machine(
                "node-1",
                new Name("node"),
                Optional.of(new ResourceId("instance", "node-1")),
                "openstack",
                new Machine.Specs(cpus, memory, false, List.of()),
                new Machine.Ssh(Optional.of("10.0.0.3"), 22, "root", Optional.empty()));
    }

    private static HostFacts facts(int cpus, long memory) {
        return new HostFacts(
                "debian", "12", "bookworm", cpus, memory, "x86_64", "h", "6", "", "b", Optional.empty(), 0, true);
    }
}
