package io.deepsite.remote;

import io.deepsite.Fuzz;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers of hosts: whatever arrives, an item is observed or unknown. */
class ProbeFuzzTest {
    private static final Item GROUP =
            new Item.Group("munge", Optional.empty(), true, Item.Phase.BEFORE, Item.Notify.NONE);
    private static final Item SERVICE =
            new Item.Service("munge.service", true, true, Item.Phase.AFTER, Item.Notify.NONE);
    private static final ProbeScript SCRIPT =
            ProbeScript.of("n0nce", List.of(new Contract("munge", "node-1", List.of(GROUP, SERVICE), List.of())), true);

    @Test
    void aFrameIsReadAsFarAsItCanBe() {
        Fuzz.run("probe", List.of("""
                Welcome!
                deepsite-probe 1 n0nce
                {"n":1,"seen":{"os":{"id":"debian","version":"12"},"cpus":2,"memory_mib":2048,"cmdline":"quiet","time":1700000000}}
                {"n":2,"seen":{"functions":["0000:03:00.0 0x8086 0x10d3 0x020000"],"groups":["11 0000:03:00.0"],"needs":["route 0000:03:00.0"],"virtual":["0000:03:00.0 64"],"iommu":"DMAR"}}
                {"n":3,"seen":{"exists":true,"gid":110}}
                {"n":4,"seen":{"enabled":true,"active":true}}
                {"n":5,"unknown":"no rights"}
                deepsite-probe end 5
                """), text -> {
            var answer = ProbeAnswer.of(SCRIPT, ProbeAnswer.Raw.read("n0nce", text));
            GROUP.differences(answer.of(GROUP));
            SERVICE.differences(answer.of(SERVICE));
        });
    }
}
