package io.deepsite.operations;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.DeclaredSize;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedSize;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AssumedFactsTest {
    private static final DeclaredSize DECLARED = new DeclaredSize(64, 256_000, false);

    private final Design design = new Design(
            List.of(),
            List.of(
                    machine("old-1", Optional.empty()),
                    machine("old-2", Optional.empty()),
                    machine("made", Optional.of(new ResourceId(ResourceId.MACHINE, "made")))));

    @Test
    void takesWhatIsDeclaredElseWhatWasRecorded() {
        var state = SiteState.fresh("lab", "1")
                .withHost("old-1", recorded(new RecordedSize(1, 512, true)))
                .withHost("old-2", recorded(new RecordedSize(8, 4096, true)));

        var facts = facts(Map.of("old-1", DECLARED), state);

        assertThat(facts.sizes())
                .containsExactlyEntriesOf(
                        new TreeMap<>(Map.of("old-1", DECLARED, "old-2", new DeclaredSize(8, 4096, true))));
        assertThat(facts.design().machines().getFirst().cpus()).isEqualTo(64);
        assertThat(facts.design().machines().get(1).container()).isTrue();
        assertThat(facts.design().machines().getLast())
                .isEqualTo(machine("made", Optional.of(new ResourceId(ResourceId.MACHINE, "made"))));
    }

    @Test
    void namesTheHostsOfWhichNothingIsKnown() {
        assertReads("hosts/DS2209-undeclared-hosts", () -> facts(Map.of(), SiteState.fresh("lab", "1")));
    }

    /** Their rules are made of what is on their buses. */
    @Test
    void hostsThatPassDevicesThroughAreNotAssumed() {
        assertReads(
                "hosts/DS2209-buses",
                () -> AssumedFacts.of(
                        _ -> true, design, Map.of("old-1", DECLARED, "old-2", DECLARED), SiteState.fresh("lab", "1")));
    }

    private AssumedFacts facts(Map<String, DeclaredSize> declared, SiteState state) {
        return AssumedFacts.of(_ -> false, design, declared, state);
    }

    private static RecordedHost recorded(RecordedSize size) {
        return new RecordedHost("192.0.2.1", 22, "root", null, null, false, size, new TreeMap<>());
    }

    private static Machine machine(String name, Optional<ResourceId> resource) {
        return new Machine(
                name,
                new Name("node"),
                resource,
                "static",
                new Machine.Specs(1, 1024, false, List.of()),
                new Machine.Ssh(Optional.of("192.0.2.1"), 22, "root", Optional.empty()));
    }
}
