package io.deepsite.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout.Result;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FanoutTest {
    @Test
    void keepsAllResultsInTheOrderOfTheInputs() {
        var inputs = IntStream.range(0, 500).boxed().toList();

        var outcomes = Fanout.each(8, inputs, i -> i * 2);

        assertThat(outcomes.keySet()).containsExactlyElementsOf(inputs);
        assertThat(outcomes.get(499)).isEqualTo(new Result.Done<>(998));
    }

    @Test
    void keepsTheFaultsOfAll() {
        var outcomes = Fanout.each(3, List.of(1, 2, 3, 4), i -> {
            if (i % 2 == 0) {
                throw fault("number " + i);
            }
            return i;
        });

        assertThat(outcomes.get(1)).isEqualTo(new Result.Done<>(1));
        assertThat(why(outcomes.get(2))).isEqualTo("number 2");
        assertThat(why(outcomes.get(4))).isEqualTo("number 4");
    }

    @Test
    void doesSoManyAtOnceAndNoMore() {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var together = new CyclicBarrier(4);

        Fanout.each(4, IntStream.range(0, 40).boxed().toList(), i -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            await(together);
            running.decrementAndGet();
            return i;
        });

        assertThat(most.get()).isEqualTo(4);
    }

    @Test
    void endsWhatStillRunsBeforeItCloses() throws InterruptedException {
        var began = new CountDownLatch(1);
        var ended = new AtomicBoolean();

        try (var fanout = new Fanout(2)) {
            fanout.start(() -> {
                began.countDown();
                try {
                    return wait(new CountDownLatch(1));
                } finally {
                    ended.set(true);
                }
            });
            began.await();
        }

        assertThat(ended).isTrue();
    }

    @Test
    void passesOnABugWhenTheOthersHaveEnded() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Fanout.each(2, List.of(1, 2), i -> {
                    throw new IllegalStateException("bug");
                }));
    }

    @Test
    void interruptsItsTasksWhenItIsInterrupted() throws InterruptedException {
        var started = new CountDownLatch(2);
        var interrupted = new AtomicInteger();
        var code = new java.util.concurrent.atomic.AtomicReference<Code>();
        var caller = Thread.ofVirtual().start(() -> {
            var failure = catchThrowableOfType(
                    Failure.class,
                    () -> Fanout.each(2, List.of(1, 2), i -> {
                        started.countDown();
                        try {
                            return wait(new CountDownLatch(1));
                        } finally {
                            interrupted.incrementAndGet();
                        }
                    }));
            code.set(failure.diagnostics().getFirst().code());
        });

        started.await();
        caller.interrupt();
        caller.join();

        assertThat(code.get()).isEqualTo(Code.CANCELLED);
        assertThat(interrupted.get()).isEqualTo(2);
    }

    @Test
    void hasNothingToDoForNothing() {
        assertThat(Fanout.each(2, List.of(), i -> i)).isEmpty();
    }

    private static Integer wait(CountDownLatch latch) {
        try {
            latch.await();
            return 0;
        } catch (InterruptedException e) {
            throw fault("interrupted");
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String why(Result<?> outcome) {
        return ((Result.Failed<?>) outcome).diagnostics().getFirst().why();
    }

    private static Failure fault(String why) {
        return new Failure(Diagnostic.error(Code.HOST_SILENT, why, ""));
    }
}
