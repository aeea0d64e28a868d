package io.deepsite.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancelTest {
    private final Cancel cancel = new Cancel();
    private final AtomicInteger heard = new AtomicInteger();

    @Test
    void onlyTheSecondAskingEndsWhatIsInFlight() {
        cancel.listen(heard::incrementAndGet);

        cancel.ask();
        assertThat(cancel.asked()).isTrue();
        assertThat(cancel.atOnce()).isFalse();
        assertThat(heard).hasValue(0);

        cancel.ask();
        cancel.ask();
        assertThat(cancel.atOnce()).isTrue();
        assertThat(heard).hasValue(1);
    }

    @Test
    void whoListensAfterwardsHearsItAtOnce() {
        cancel.ask();
        cancel.ask();

        cancel.listen(heard::incrementAndGet);

        assertThat(heard).hasValue(1);
    }

    @Test
    void interruptsTheWorkAndNotWhatComesAfterIt() {
        var ended = cancel.interrupting(() -> {
            Thread.ofVirtual().start(() -> {
                cancel.ask();
                cancel.ask();
            });
            try {
                new CountDownLatch(1).await();
                return "by itself";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "interrupted";
            }
        });

        assertThat(ended).isEqualTo("interrupted");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
