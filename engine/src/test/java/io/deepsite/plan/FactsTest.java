package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Machine;
import io.deepsite.remote.HostFacts;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FactsTest {
    @Test
    void areTheAddressesOfMachinesAndWhatHostsReport() {
        var machines = List.of(machine("head", Optional.of("10.0.0.2")), machine("node", Optional.empty()));

        assertThat(Facts.of(machines, Map.of("head", reported(1, 2048))))
                .isEqualTo(Map.of("head/address", "10.0.0.2", "head/cpus", "1", "head/memory_mib", "2048"));
    }

    /** Zero is what an answer without the value becomes; a file with it would tell a scheduler of no processors. */
    @Test
    void aHostThatDoesNotKnowItsSizeReportsNone() {
        assertThat(Facts.of(List.of(), Map.of("head", reported(0, 0)))).isEmpty();
    }

    private static HostFacts reported(int cpus, long memory) {
        return new HostFacts(
                "debian", "12", "bookworm", cpus, memory, "x86_64", "h", "6", "", "b", Optional.empty(), 0, true);
    }

    private static Machine machine(String name, Optional<String> address) {
        return new Machine(
                name,
                new Name(name),
                Optional.empty(),
                "static",
                new Machine.Specs(1, 1024, false, List.of()),
                new Machine.Ssh(address, 22, "root", Optional.empty()));
    }
}
