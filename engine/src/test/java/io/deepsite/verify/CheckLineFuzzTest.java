package io.deepsite.verify;

import io.deepsite.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The output of acceptance scripts. */
class CheckLineFuzzTest {
    @Test
    void aLineIsACheckThatPassedOrFailed() {
        Fuzz.run(
                "checks",
                List.of("CHECK\tjobs\tpassed\tnode-1\t1.25\tran on 2 nodes", "CHECK\tlogin\tfailed\t-\t0.1"),
                text -> CheckLine.read("hpc", text));
    }
}
