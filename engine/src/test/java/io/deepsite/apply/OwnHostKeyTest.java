package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.plan.Change;
import io.deepsite.plan.Step;
import io.deepsite.remote.HostKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines on a back-end that exposes what was injected into them. */
class OwnHostKeyTest {
    private static final ApplyOptions MACHINES =
            new ApplyOptions(Set.of(), Optional.of(ApplyOptions.MACHINES), Optional.empty());

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private SmallSite site;

    @SuppressWarnings("NullAway.Init") // before each test
    private KeyedHosts hosts;

    @BeforeEach
    void open() {
        site = new SmallSite(folder);
        site.nodes = 0;
        site.provider.showBoot();
        hosts = new KeyedHosts(
                folder.resolve("hosts"), name -> site.provider.cloud().boot("lab-" + name));
        site.remote = hosts;
    }

    @Test
    void aMachineShowsAKeyThatOnlyItselfHolds() {
        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        var shown = hosts.shown("head");
        assertThat(shown).isNotEqualTo(injected());
        assertThat(site.access.hasOwnKey("head")).isTrue();
        assertThat(site.state().hosts().get("head").hostKey()).isEqualTo(shown.line());
        assertThat(accepted()).containsExactly(shown);
        assertThat(site.plan().isEmpty()).isTrue();
        assertThat(site.journalled()).contains("host-key:head");
        assertThat(site.openIntents()).isEmpty();
    }

    @Test
    void oneThatIsNotWaitedForMakesItsKeyLater() {
        site.apply(site.plan(), MACHINES);

        assertThat(hosts.shown("head")).isEqualTo(injected());
        var plan = site.plan();
        assertThat(plan.steps()).extracting(Step::change).containsExactly(Change.NONE);
        assertThat(plan.steps().getFirst().reason()).contains("waiting");

        site.apply(plan);

        assertThat(hosts.shown("head")).isNotEqualTo(injected());
        assertThat(site.plan().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1,false", "1,true", "2,false", "2,true", "3,false", "3,true", "4,false", "4,true"})
    void aKilledRunDoesNotLockDeepsiteOut(int scripts, boolean untold) {
        hosts.killedAfter(scripts, untold);
        var killed = catchThrowable(() -> site.apply());
        // The key it has now is one of those accepted before.
        assertThat(accepted()).contains(hosts.shown("head"));

        hosts.alive();
        var after = site.apply();

        assertThat(after.exit()).isEqualTo(ExitCode.DONE);
        assertThat(hosts.shown("head")).isNotEqualTo(injected());
        assertThat(accepted()).containsExactly(hosts.shown("head"));
        assertThat(site.state().hosts().get("head").hostKey())
                .isEqualTo(hosts.shown("head").line());
        assertThat(site.plan().isEmpty()).isTrue();
        // The last script verifies the new key: a run killed after it had only to record that.
        assertThat(killed == null).isEqualTo(scripts == 4 && !untold);
    }

    @Test
    void theInjectedKeyIsForgottenThoughTheRunEndedBeforeThat() {
        site.apply(site.plan(), MACHINES);
        var injected = injected();
        var own = injected;
        site.apply();
        own = hosts.shown("head");
        // The run was killed after it wrote the state and before it wrote the vault.
        site.putSecret(Access.hostKeyName("head"), own.line() + "\n" + privateKey());
        var state = site.state();
        site.write(state.withHost(
                "head", Objects.requireNonNull(state.hosts().get("head")).withAwaited(true)));
        assertThat(accepted()).containsExactlyInAnyOrder(own, injected);

        site.apply();

        assertThat(accepted()).containsExactly(own);
        assertThat(hosts.shown("head")).isEqualTo(own);
    }

    @Test
    void aKeyThatWasLostWithADiskIsMadeOnceMore() throws IOException {
        hosts.killedAfter(2, false);
        var _ = catchThrowable(() -> site.apply());
        var lost = accepted().getFirst();
        hosts.alive().loseNextKey("head");

        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        assertThat(hosts.shown("head")).isNotIn(lost, injected());
        assertThat(accepted()).containsExactly(hosts.shown("head"));
    }

    @Test
    void aReplacedMachineGetsAnotherKeyFirst() {
        site.apply();
        var first = hosts.shown("head");
        var before = injected();
        site.provider.cloud().remove("instance", "lab-head");
        hosts = new KeyedHosts(
                folder.resolve("anew"), name -> site.provider.cloud().boot("lab-" + name));
        site.remote = hosts;

        assertThat(site.apply().exit()).isEqualTo(ExitCode.DONE);

        assertThat(injected()).isNotEqualTo(before);
        assertThat(hosts.shown("head")).isNotIn(first, before, injected());
    }

    @Test
    void aMachineThatMakesNoneIsNotConfigured() throws IOException {
        site.withStage("hpc.munge", "munge", List.of(), "head");
        site.apply(site.plan(), MACHINES);
        hosts.breakKeygen("head");

        var result = site.apply();

        assertThat(result.exit()).isEqualTo(ExitCode.FAILED);
        assertThat(site.outcome("hpc.munge@head")).isEqualTo(Event.StepOutcome.BLOCKED);
        FaultMessage.assertReads("hosts/DS3011-host-key-not-made", () -> {
            throw new Failure(result.diagnostics());
        });
    }

    @Test
    void otherBackEndsKeepTheKeyThatOnlyTheyKnow() {
        var other = new SmallSite(folder.resolve("other"));
        other.nodes = 0;
        var quiet = new KeyedHosts(
                folder.resolve("quiet"), name -> other.provider.cloud().boot("lab-" + name));
        other.remote = quiet;

        other.apply();

        assertThat(other.access.hasOwnKey("head")).isFalse();
        assertThat(quiet.shown("head").line())
                .isEqualTo(other.state().hosts().get("head").hostKey());
    }

    private HostKey injected() {
        return site.provider.cloud().boot("lab-head").files().stream()
                .filter(file -> file.path().endsWith("ssh_host_ed25519_key.pub"))
                .map(file -> HostKey.parse(file.content()))
                .findFirst()
                .orElseThrow();
    }

    private String privateKey() {
        return site.provider.cloud().boot("lab-head").files().stream()
                .filter(file -> file.path().endsWith("ssh_host_ed25519_key"))
                .map(file -> file.content())
                .findFirst()
                .orElseThrow();
    }

    /** The keys that the next connection would accept, by the records and by the plan. */
    private List<HostKey> accepted() {
        var recorded = site.access.target("head", site.state().hosts()).hostKeys();
        var machines = site.plan().machines();
        var planned = site.access.target(machines.get("head"), machines).hostKeys();
        assertThat(recorded).isEqualTo(planned);
        return new ArrayList<>(recorded);
    }
}
