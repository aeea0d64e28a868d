package io.deepsite.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class PollingTest {
    private static final int SERVERS = 20;

    private final AtomicInteger lists = new AtomicInteger();

    @Test
    void oneListIsReadForAllWhoWait() throws InterruptedException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        // The first to come waits until all others wait for it.
        Pause pause = _ -> {
            while (threads.stream()
                                    .filter(thread -> thread.getState() == Thread.State.WAITING)
                                    .count()
                            < SERVERS - 1
                    && lists.get() == 0) {
                Thread.onSpinWait();
            }
        };
        var polling = new Polling<>("the cloud", Code.OPENSTACK_TOO_SLOW, this::all, pause, Instant::now);
        var seen = new CopyOnWriteArrayList<String>();
        var begun = new ArrayList<Thread>();
        for (int i = 0; i < SERVERS; i++) {
            var id = "server-" + i;
            begun.add(Thread.ofPlatform()
                    .unstarted(() -> seen.add(polling.await(
                                    id, one -> one.equals(Optional.of("ACTIVE")), Duration.ofHours(1), id, Call.QUIET)
                            .orElseThrow())));
        }
        threads.addAll(begun);

        begun.forEach(Thread::start);
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
