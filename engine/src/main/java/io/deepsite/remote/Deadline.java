package io.deepsite.remote;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Closes a resource when a limit passes, which wakes any thread blocked on it. Read timeouts would not do: a peer that
 * sends a byte now and then never reaches one.
 */
final class Deadline implements AutoCloseable {
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean passed;

    /** @param limit zero for none */
    Deadline(Duration limit, Closeable resource) {
        if (!limit.isZero()) {
            Thread.ofVirtual().name("deadline").start(() -> watch(limit, resource));
        }
    }

    private void watch(Duration limit, Closeable resource) {
        try {
            if (!done.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                passed = true;
                resource.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // The purpose was to close it.
            passed = true;
        }
    }

    boolean passed() {
        return passed;
    }

    @Override
    public void close() {
        done.countDown();
    }
}
