package io.deepsite.cli;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A story with a signal. Signals and their handlers belong to the whole process, so no other command may run in parallel. */
@Isolated
class SignalGoldenTest {
    @TempDir
    private Path folder;

    @Test
    void interruptedRunFinishesRunningStepsAndTheNextOneResumes() throws Exception {
        FaultGoldenTest.play(
                new FaultCase("plan/cancelled-by-a-signal", story -> {
                    var heard = new CountDownLatch(1);
                    story.onWord("Stopping: ", heard::countDown);
                    story.lxd.meanwhile("POST /1.0/instances", () -> interrupt(heard));
                    story.fails(130, "apply", "site.yaml", "--yes").goesOn();
                }),
                folder);
    }

    /** Sends the signal to itself, because CI starts its children with SIGINT ignored. Returns when it was handled. */
    private static void interrupt(CountDownLatch heard) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            signal.getMethod("raise", signal)
                    .invoke(null, signal.getConstructor(String.class).newInstance("TERM"));
            heard.await();
        } catch (ReflectiveOperationException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
