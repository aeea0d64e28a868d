package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Item;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostKeysInPlansTest {
    private final SamplePlan sample = new SamplePlan();

    @Test
    void anExistingMachineIsKnownByItsRecordedHostKey() {
        var trusted = new Item.Unknown("head", "host_key");
        sample.contract = OpenItems.contract(trusted);
        sample.applied();

        var closed = UnknownResolver.NOTHING.knowing(Map.of("head/host_key", "ssh-ed25519 AAAA"));
        var line = closed.recorded(sample.contract, sample.texts()).items().get(1);

        assertThat(((Item.Line) line).block()).isEqualTo("10.0.0.ssh-ed25519 AAAA head\n");
        assertThat(role().items())
                .as("what the host holds was looked at without the key")
                .anySatisfy(change -> assertThat(change.toString()).contains("ssh-ed25519 AAAA"));
    }

    @Test
    void aReplacedMachineHasAnUnknownKey() {
        sample.contract = OpenItems.contract(new Item.Unknown("head", "host_key"));
        sample.applied().resources.set(0, SamplePlan.machine("debian-2", "1"));

        assertThat(role().items().toString()).doesNotContain("ssh-ed25519");
    }

    private Step.OfRole role() {
        return (Step.OfRole) sample.plan().steps().getLast();
    }
}
