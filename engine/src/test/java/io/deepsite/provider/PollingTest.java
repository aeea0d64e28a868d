package io.deepsite.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class PollingTest {
    private static final int SERVERS = 20;

    private final AtomicInteger lists = new AtomicInteger();

    @Test
    void oneListIsReadForAllWhoWait() throws InterruptedException {
        // Each asks for the time when it begins, and again when it knows which list it waits for.
        var asked = new CountDownLatch(2 * SERVERS);
        InstantSource clock = () -> {
            asked.countDown();
            return Instant.EPOCH;
        };
        // The first to come waits until all others wait for it.
        Pause pause = _ -> {
            try {
                asked.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        var polling = new Polling<>("the cloud", Code.OPENSTACK_TOO_SLOW, this::all, pause, clock);
        var seen = new CopyOnWriteArrayList<String>();
        var begun = new ArrayList<Thread>();
        for (int i = 0; i < SERVERS; i++) {
            var id = "server-" + i;
            begun.add(Thread.ofPlatform()
                    .start(() -> seen.add(polling.await(
                                    id, one -> one.equals(Optional.of("ACTIVE")), Duration.ofHours(1), id, Call.QUIET)
                            .orElseThrow())));
        }
        for (var thread : begun) {
            thread.join();
        }

        assertThat(seen).hasSize(SERVERS).containsOnly("ACTIVE");
        assertThat(lists).hasValue(1);
    }

    @Test
    void aCloudThatTakesTooLongIsTold() {
        var now = new AtomicReference<>(Instant.EPOCH);
        var polling = new Polling<>(
                "the cloud",
                Code.OPENSTACK_TOO_SLOW,
                () -> Map.of("server-1", "BUILD"),
                duration -> now.updateAndGet(before -> before.plus(duration)),
                now::get);

        var failure = catchThrowableOfType(
                Failure.class,
                () -> polling.await("server-1", _ -> false, Duration.ofMinutes(1), "the server lab-head", Call.QUIET));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.OPENSTACK_TOO_SLOW);
        assertThat(failure.diagnostics().getFirst().why()).contains("the server lab-head");
    }

    private Map<String, String> all() {
        lists.incrementAndGet();
        var all = new TreeMap<String, String>();
        for (int i = 0; i < SERVERS; i++) {
            all.put("server-" + i, "ACTIVE");
        }
        return all;
    }
}
