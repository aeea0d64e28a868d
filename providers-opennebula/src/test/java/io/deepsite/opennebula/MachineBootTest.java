package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.StandIn.Mishap;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource.Condition;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Machines that start, wait, fail and come back. */
final class MachineBootTest {
    private static final String NODE = "{node: {image: debian-12, memory: 512MiB}}";

    @TempDir
    private Path folder;

    private StandIn front;
    private final List<String> progress = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() {
        front = StandIn.start("6.8.3", folder.resolve("state"));
    }

    @AfterEach
    void end() {
        front.close();
    }

    private Call call() {
        return new Call() {
            @Override
            public void progress(String what) {
                progress.add(what);
            }

            @Override
            public boolean cancelled() {
                return false;
            }
        };
    }

    private Made node(String opennebula) {
        return new Made(front, opennebula, NODE).surroundings();
    }

    @Test
    void failedBootIsRetriedOnce() {
        front.cloud().vms().next("3/1", "3/2", "3/36").nextRetry("3/2", "3/3");
        var made = node("{}");

        made.create(made.resource(Kinds.VM, "node"), call());

        assertThat(progress).contains("BOOT_FAILURE: trying again", "RUNNING");
        assertThat(Collections.frequency(front.sent(), "one.vm.recover")).isEqualTo(1);
        assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
    }

    @Test
    void secondFailureOfABootIsReported() {
        front.cloud().vms().next("3/36").nextRetry("3/2", "3/36");
        var made = node("{}");

        ErrorText.says("machines/DS2432-boot-failure", () -> {
            made.create(made.resource(Kinds.VM, "node"), call());
            return made;
        });

        assertThat(Collections.frequency(front.sent(), "one.vm.recover")).isEqualTo(1);
        assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.HALF_MADE);

        front.cloud().vms().nextRetry("3/2", "3/3");
        made.create(made.resource(Kinds.VM, "node"), call());
        assertThat(made.seen(Kinds.VM, "node").condition())
                .as("the next apply tries once more")
                .isEqualTo(Condition.READY);
    }

    @Test
    void onlyAnAdministratorMayRetry() {
        front.cloud().vms().next("3/36");
        front.cloud().forbid("one.vm.recover");
        var made = node("{}");

        ErrorText.says("machines/DS2432-no-right-to-recover", () -> {
            made.create(made.resource(Kinds.VM, "node"), call());
            return made;
        });
    }

    @Test
    void pendingMachineReportsTheSchedulersMessageAndFreeCapacity() {
        var host = front.cloud().named("host", "kvm-1");
        front.cloud().card(host, "10de 20b5 0302 A100_PCIe 17:00.0");
        host.fields.put("MAX_CPU", "50");
        front.cloud().host("kvm-2", 1600, 65_536).fields.put("STATE", "4");
        var made = node("{patience: 2m}");

        ErrorText.says("machines/DS2433-waits", () -> {
            made.create(made.resource(Kinds.VM, "node"), call());
            return made;
        });

        assertThat(progress).anyMatch(words -> words.startsWith("PENDING: ") && words.contains("No hosts enabled"));
        host.fields.put("MAX_CPU", "1600");
        made.create(made.resource(Kinds.VM, "node"), call());
        assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
    }

    @Test
    void pendingMachineIsMadeAgainWithNewValues() {
        front.cloud().named("host", "kvm-1").fields.put("MAX_CPU", "150");
        var large =
                new Made(front, "{patience: 2m}", "{node: {image: debian-12, cpus: 2, memory: 512MiB}}").surroundings();
        assertThatThrownBy(() -> large.create(large.resource(Kinds.VM, "node"), call()))
                .isInstanceOf(Failure.class);
        var small = new Made(front, "{patience: 2m}", "{node: {image: debian-12, cpus: 1, memory: 512MiB}}");

        small.create(small.resource(Kinds.VM, "node"), call());

        assertThat(small.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
        assertThat(small.seen(Kinds.VM, "node").attributes())
                .isEqualTo(small.resource(Kinds.VM, "node").values());
        assertThat(front.names("vm")).containsExactly("lab-node");
    }

    @Test
    void machineThatFailedToBootIsMadeAgainWithNewValues() {
        front.cloud().vms().next("3/36").nextRetry("3/36");
        var before = node("{}");
        assertThatThrownBy(() -> before.create(before.resource(Kinds.VM, "node"), call()))
                .isInstanceOf(Failure.class);
        var after = new Made(front, "{groups: {node: {chipset: q35}}}", NODE);

        after.create(after.resource(Kinds.VM, "node"), call());

        assertThat(after.vector("node", "OS")).containsEntry("MACHINE", "q35");
        assertThat(after.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
    }

    @Test
    void missingCardIsReportedThoughTheSchedulerDoesNot() {
        var host = front.cloud().named("host", "kvm-1");
        front.cloud().card(host, "10de 20b5 0302 A100_PCIe 17:00.0");
        var made = new Made(front, "{patience: 2m}", "{node: {image: debian-12, gpus: [{vendor: nvidia}]}}")
                .surroundings();
        StandInThing.vectors(host.template, "PCI").getFirst().put("VMID", "4711");

        ErrorText.says("machines/DS2433-card-taken", () -> {
            made.create(made.resource(Kinds.VM, "node"), call());
            return made;
        });
    }

    @Test
    void unknownStateIsWaitedForAndNamed() {
        front.cloud().vms().next("3/99");
        var made = node("{}");

        ErrorText.says("machines/DS2436-unknown-state", () -> {
            made.create(made.resource(Kinds.VM, "node"), call());
            return made;
        });

        assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
        assertThat(made.provider().down("node", made.site().name())).isEmpty();
    }

    @Test
    void machineDeletedByAnotherClientIsReported() {
        front.cloud().vms().next("3/1", StandInVms.GONE);
        var made = node("{}");

        ErrorText.says("machines/DS2432-gone-again", () -> {
            made.create(made.resource(Kinds.VM, "node"), call());
            return made;
        });
    }

    @ParameterizedTest
    @CsvSource({"8, 0, POWEROFF", "5, 0, SUSPENDED", "3, 16, UNKNOWN"})
    void stoppedMachineIsStarted(int state, int lcm, String words) {
        var made = node("{}").all();
        made.vm("node").fields.put("STATE", String.valueOf(state));
        made.vm("node").fields.put("LCM_STATE", String.valueOf(lcm));
        var seen = made.seen(Kinds.VM, "node");
        assertThat(seen.condition()).isEqualTo(Condition.STOPPED);
        assertThat(made.provider().down("node", made.site().name()))
                .hasValueSatisfying(why -> assertThat(why).contains(words));

        made.provider().update(seen, made.resource(Kinds.VM, "node"), call());

        assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
        assertThat(made.provider().down("node", made.site().name())).isEmpty();
    }

    @Test
    void oneListServesAllStartingMachines() {
        front.cloud().named("host", "kvm-1").fields.put("MAX_CPU", "4800");
        var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB, count: 20}}").surroundings();
        front.forgetSent();

        var threads = IntStream.rangeClosed(1, 20)
                .mapToObj(i ->
                        Thread.ofVirtual().start(() -> made.create(made.resource(Kinds.VM, "node-" + i), Call.QUIET)))
                .toList();
        for (var thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        assertThat(front.cloud().all("vm")).hasSize(20);
        assertThat(Collections.frequency(front.sent(), "one.vm.info")).isZero();
        // One per machine to check whether it exists, then one for all at each step.
        assertThat(Collections.frequency(front.sent(), "one.vmpool.infoextended"))
                .isLessThan(20 + 20 * 3);
    }

    @Test
    void nextApplyFinishesHalfMadeMachinesAlsoAfterARestart() {
        front.cloud().vms().next("3/1", "3/1", "3/2", "3/2", "3/2", "3/3");
        var made = node("{}");
        var cancelled = new Call() {
            @Override
            public void progress(String what) {}

            @Override
            public boolean cancelled() {
                return !front.cloud().all("vm").isEmpty();
            }
        };
        var failure =
                catchThrowableOfType(Failure.class, () -> made.create(made.resource(Kinds.VM, "node"), cancelled));
        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.CANCELLED);

        front = front.restart(folder.resolve("state"));
        var again = new Made(front, "{}", NODE);
        again.create(again.resource(Kinds.VM, "node"), Call.QUIET);

        assertThat(front.cloud().all("vm")).hasSize(1);
        assertThat(again.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mishap.class,
            names = {"CUT", "DROPPED"})
    void lostAnswerLeavesNoDuplicate(Mishap mishap) {
        var made = node("{}");
        front.on("one.vm.allocate", mishap);
        assertThatThrownBy(() -> made.create(made.resource(Kinds.VM, "node"), Call.QUIET))
                .isInstanceOf(Failure.class);
        assertThat(front.names("vm")).containsExactly("lab-node");

        made.create(made.resource(Kinds.VM, "node"), Call.QUIET);

        assertThat(front.names("vm")).containsExactly("lab-node");
        assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
    }

    @Test
    void imagesInErrorAreReportedAndMadeAgain() {
        var made = new Made(front, "{images: {debian-12: {url: \"https://images.example/debian.qcow2\"}}}", NODE);
        var image = made.resource(Kinds.IMAGE, "debian-12");
        front.cloud().images().next("4", "5");

        ErrorText.says("machines/DS2421-made", () -> {
            made.create(image, call());
            return made;
        });

        made.create(image, call());
        assertThat(made.seen(Kinds.IMAGE, "debian-12").condition()).isEqualTo(Condition.READY);
        assertThat(front.cloud().all("image").values())
                .extracting(one -> one.name)
                .containsExactlyInAnyOrder("debian-12", "ds-lab-debian-12");
    }
}
