package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.remote.HostProbe.Look;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probes that start before their results are requested. */
final class ProbePrefetchTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final LocalRemote remote = new LocalRemote();
    private final HostProbe probe = new HostProbe(remote, 4);

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void answerAProbeOfTheSameItems() throws IOException {
        var counted = counted();
        probe.begin(List.of(early(counted)));

        var answer = probed(look(counted));

        assertThat(counted.differences(answer.of(counted))).isEmpty();
        assertThat(timesAsked()).isEqualTo(1);
        assertThat(remote.opened("node-1")).isEqualTo(1);
    }

    @Test
    void leaveTheirConnectionToALargerProbe() throws IOException {
        var counted = counted();
        var more = says("more");
        probe.begin(List.of(early(counted)));

        var answer = probed(look(counted, more));

        assertThat(more.differences(answer.of(more))).isEmpty();
        assertThat(timesAsked()).isEqualTo(2);
        assertThat(remote.opened("node-1")).isEqualTo(1);
    }

    @Test
    void giveTheFactsAndStayForTheNextProbe() throws IOException {
        var counted = counted();
        probe.begin(List.of(early(counted)));

        assertThat(probed(look()).facts().cpus()).isPositive();
        assertThat(counted.differences(probed(look(counted)).of(counted))).isEmpty();
        assertThat(timesAsked()).isEqualTo(1);
        assertThat(remote.opened("node-1")).isEqualTo(1);
    }

    @Test
    void answerOnceOnly() throws IOException {
        var counted = counted();
        probe.begin(List.of(early(counted)));

        probed(look(counted));
        probed(look(counted));

        assertThat(timesAsked()).isEqualTo(2);
    }

    @Test
    void hideNothingOfAHostThatDoesNotAnswer() {
        remote.without("node-1", Code.HOST_SILENT);
        probe.begin(List.of(early()));

        var reply = probe.probe(List.of(look())).get("node-1");

        assertThat(reply)
                .isInstanceOfSatisfying(
                        HostProbe.Reply.Silent.class,
                        silent -> assertThat(silent.diagnostics().getFirst().code())
                                .isEqualTo(Code.HOST_SILENT));
    }

    @Test
    void doNotAffectTheProbeIfTheirContractsFail() {
        probe.begin(List.of(new HostProbe.Early(
                LocalRemote.target("node-1"),
                () -> {
                    throw new IllegalStateException("of another version");
                },
                false)));

        assertThat(probed(look()).facts().cpus()).isPositive();
    }

    private ProbeAnswer probed(Look look) {
        return probe.probe(List.of(look)).get("node-1").found().orElseThrow();
    }

    private static HostProbe.Early early(Item... items) {
        var look = look(items);
        return new HostProbe.Early(look.target(), look::contracts, false);
    }

    private static Look look(Item... items) {
        return new Look(
                LocalRemote.target("node-1"), List.of(new Contract("role", "node-1", List.of(items), List.of())));
    }

    private static Look look() {
        return new Look(LocalRemote.target("node-1"), List.of());
    }

    /** Appends a line to a file each time that it is probed. */
    private Item.Probe counted() {
        return new Item.Probe(
                "counted",
                List.of("/bin/sh", "-c", "echo asked >>" + folder.resolve("asked")),
                Optional.of(""),
                0,
                Item.Phase.AFTER,
                Item.Notify.NONE);
    }

    private static Item.Probe says(String what) {
        return new Item.Probe(what, List.of("echo", what), Optional.of(what), 0, Item.Phase.AFTER, Item.Notify.NONE);
    }

    private int timesAsked() throws IOException {
        return Files.readAllLines(folder.resolve("asked")).size();
    }
}
