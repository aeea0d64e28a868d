package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SiteStateTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private final SiteState state = SiteState.fresh("lab", "0.1.0");
    private final RecordedHost host = new RecordedHost("10.0.0.2", 22, "root", null, new TreeMap<>());

    @Test
    void isBornEmptyAndUnwritten() {
        assertThat(state.isEmpty()).isTrue();
        assertThat(state.serial()).isZero();
        assertThat(state.header().formatVersion()).isEqualTo(SiteState.FORMAT_VERSION);
        assertThat(state.provider()).isNull();
        assertThat(state.lease()).isNull();
        assertThat(state.verify()).isNull();
        assertThat(state.apply()).isNull();
        assertThat(state.lineage()).isNotEqualTo(SiteState.fresh("lab", "0.1.0").lineage());
    }

    @Test
    void changesOneThingAndKeepsTheRest() {
        var resource = new RecordedResource("machine", "lab-a", new TreeMap<>(Map.of("cpus", "1")), List.of());

        var next = state.withResource("machine/a", resource)
                .withHost("a", host)
                .withSecrets(Map.of("munge_key", "hmac-sha256:1"))
                .withParameters(Map.of("nodes", "2"))
                .withProvider(new RecordedProvider("lxd", new TreeMap<>(), null, null))
                .withLease(new RecordedLease(NOON, NOON.plusSeconds(1), null))
                .withVerify(new RecordedVerify("f", Outcome.PASSED, NOON))
                .withApply(new RecordedApply("r", Outcome.FAILED, NOON))
                .withToolVersion("0.2.0");

        assertThat(next.lineage()).isEqualTo(state.lineage());
        assertThat(next.resources()).containsExactly(Map.entry("machine/a", resource));
        assertThat(next.hosts()).containsKey("a");
        assertThat(next.secrets()).containsKey("munge_key");
        assertThat(next.parameters()).containsEntry("nodes", "2");
        assertThat(next.toolVersion()).isEqualTo("0.2.0");
        assertThat(state.isEmpty()).isTrue();
        assertThat(next.withoutResource("machine/a").withoutHost("a").isEmpty()).isTrue();
        assertThat(next.withLease(null).lease()).isNull();
    }

    @Test
    void hostsKeepWhatIsKnownOfThemWhenARoleComesAndGoes() {
        var role = new RecordedRole("base", List.of(), "f", StateJson.MAPPER.createObjectNode(), List.of());

        var known = new RecordedHost("10.0.0.2", 22, "root", "ssh-ed25519 AAAA", new TreeMap<>());

        assertThat(known.withRole("motd", role).roles()).containsOnlyKeys("motd");
        assertThat(known.withRole("motd", role).withoutRole("motd")).isEqualTo(known);
    }

    @Test
    void hostsKeepTheirFormerUsersWhateverElseChanges() {
        var role = new RecordedRole("base", List.of(), "f", StateJson.MAPPER.createObjectNode(), List.of());
        var former = new TreeMap<>(Map.of("alice", 2001));
        var known = host.withFormerUsers(former);

        assertThat(List.of(
                        known.withRole("motd", role),
                        known.withoutRole("motd"),
                        known.withAwaited(true),
                        known.withHostKey("ssh-ed25519 AAAA"),
                        known.withSize(new RecordedSize(1, 2, false)),
                        host.configuredAs(known)))
                .extracting(RecordedHost::formerUsers)
                .containsOnly(former);
    }

    @Test
    void cannotBeChangedFromOutside() {
        var attributes = new TreeMap<>(Map.of("cpus", "1"));
        var resource = new RecordedResource("machine", "a", attributes, List.of());
        attributes.put("cpus", "2");

        assertThat(resource.attributes()).containsEntry("cpus", "1");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> state.hosts().put("a", host));
    }

    @Test
    void nonsenseCannotBeRecorded() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RecordedHost("a", 0, "root", null, new TreeMap<>()));
        assertThatIllegalArgumentException().isThrownBy(() -> new RecordedLease(NOON, NOON.minusSeconds(1), null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecordedLease(NOON, NOON.plusSeconds(2), NOON.plusSeconds(1)));
    }
}
