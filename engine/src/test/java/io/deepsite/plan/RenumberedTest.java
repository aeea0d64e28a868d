package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.ProbeAnswer;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RenumberedTest {
    private final SamplePlan sample = new SamplePlan();

    @Test
    void aUidThatTheHostHasOtherwiseIsRefusedOnceForUserAndGroup() {
        sample.applied();
        wants(Map.of("uid", 2050, "gid", 2050, "exists", true), Map.of("gid", 2050, "exists", true));

        var faults = catchThrowableOfType(Failure.class, sample::plan).diagnostics();

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.RENUMBERED);
        assertThat(faults.getFirst().why()).startsWith("alice has uid 2050 on head, but site.yaml says 2001.");
        assertThat(faults.getFirst().fix()).contains("users.alice.uid: 2050");
    }

    @Test
    void aForeignGroupWithThatNameIsRefused() {
        sample.applied();
        wants(Map.of("exists", false), Map.of("gid", 117, "exists", true));

        var faults = catchThrowableOfType(Failure.class, sample::plan).diagnostics();

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.RENUMBERED);
        assertThat(faults.getFirst().why()).startsWith("The group alice has gid 117 on head");
    }

    @Test
    void whatIsNotThereYetOrFitsIsPlanned() {
        sample.applied();
        wants(Map.of("exists", false), Map.of("gid", 2001, "exists", true));

        assertThat(sample.plan().steps()).isNotEmpty();
    }

    @Test
    void aReplacedMachineHasNoIdsToKeep() {
        sample.applied();
        wants(Map.of("uid", 2050, "exists", true), Map.of("gid", 2050, "exists", true));
        sample.resources.set(0, SamplePlan.machine("debian-2", "1"));

        assertThat(sample.plan().steps()).extracting(Step::change).contains(Change.REPLACE);
    }

    /** The contract wants alice and her group with id 2001; the host reports these values. */
    private void wants(Map<String, Object> user, Map<String, Object> group) {
        var head = sample.holds(sample.contract);
        var items = new ArrayList<>(sample.contract.items());
        items.add(new Item.Group("alice", Optional.of(2001), false, Item.Phase.BEFORE, Item.Notify.NONE));
        items.add(FormerUsersTest.user("alice", 2001));
        sample.contract = new Contract("motd", "head", items, sample.contract.actions());
        var seen = new TreeMap<>(head.items());
        seen.put("user:alice", Seen.of(user));
        seen.put("group:alice", Seen.of(group));
        sample.observed.put("head", new ProbeAnswer(head.facts(), seen, head.done(), head.texts()));
    }
}
