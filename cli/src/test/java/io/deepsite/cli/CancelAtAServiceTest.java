package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A signal while a service builds. Signals belong to the whole process, so no other command may run in parallel. */
@Isolated
class CancelAtAServiceTest {
    @TempDir
    private Path folder;

    @Test
    void theServiceStopsTheRunAndTheNextApplyGoesOn() throws Exception {
        try (var service = new ServiceInMemory(folder.resolve("service"), "");
                var signals = Executors.newSingleThreadExecutor()) {
            var alice = new Person(Files.createDirectories(folder.resolve("alice")));
            alice.environment.put("DEEPSITE_SERVICE", service.url());
            assertThat(alice.types("login", service.url(), "--name", "alice", "--group", "biologists"))
                    .isZero();
            var building = new CountDownLatch(1);
            var cancelled = new CountDownLatch(1);
            service.before = call -> {
                if (call.startsWith("create instance/")) {
                    building.countDown();
                    await(cancelled);
                }
            };
            var other = new Person(alice.home);
            other.environment.putAll(alice.environment);
            var _ = signals.submit(() -> {
                await(building);
                raise("TERM");
                // Until the service has heard it, which its events tell.
                while (!other.out.contains("alice: cancelled")) {
                    other.types("logs", "--site", "A cluster");
                }
                cancelled.countDown();
            });

            assertThat(alice.types("apply", "hpc", "--yes")).as(alice.err).isEqualTo(130);

            assertThat(alice.err).contains("Stopping: running steps finish");
            assertThat(alice.out).contains("Cancelled. What is there stays.", "deepsite apply hpc-");
            service.before = _ -> {};
            assertThat(alice.types("apply", "hpc", "--yes")).as(alice.err).isZero();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void raise(String name) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            signal.getMethod("raise", signal)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
