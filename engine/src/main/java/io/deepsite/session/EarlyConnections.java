package io.deepsite.session;

import io.deepsite.diag.Failure;
import io.deepsite.remote.Remote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Logs in to the recorded hosts while the back-end is asked and contracts are rendered: on a small site the login is the
 * longest part of a look. A login that fails early is simply tried again when it is needed.
 */
final class EarlyConnections implements Remote, AutoCloseable {
    /** Beyond that the hosts wait for each other anyway. */
    private static final int MOST = 16;

    private final Remote remote;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<SshTarget, CompletableFuture<RemoteHost>> opening = new ConcurrentHashMap<>();

    EarlyConnections(Remote remote) {
        this.remote = remote;
    }

    /** @param targets asked for in the background, because telling them takes the vault */
    void begin(Supplier<List<SshTarget>> targets) {
        threads.execute(() -> {
            try {
                targets.get().stream()
                        .limit(MOST)
                        .forEach(target -> opening.computeIfAbsent(
                                target, wanted -> CompletableFuture.supplyAsync(() -> remote.open(wanted), threads)));
            } catch (Failure _) {
                // Whoever needs a target that cannot be told gets this fault, with its words.
            }
        });
    }

    @Override
    public RemoteHost open(SshTarget target) {
        var early = opening.remove(target);
        if (early != null) {
            try {
                return early.join();
            } catch (CompletionException _) {
                // Tried again below.
            }
        }
        return remote.open(target);
    }

    @Override
    public void close() {
        for (var early : opening.values()) {
            var _ = early.thenAccept(RemoteHost::close);
        }
        threads.shutdownNow();
    }
}
