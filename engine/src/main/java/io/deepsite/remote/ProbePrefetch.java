package io.deepsite.remote;

import io.deepsite.contract.Contract;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Probes hosts while the back-end is queried and contracts are rendered: on a small site the probe is the longest part
 * of a plan. A failed prefetch is repeated when the result is needed.
 */
final class ProbePrefetch implements AutoCloseable {
    /** Beyond that the hosts wait for each other anyway. */
    private static final int MOST = 16;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Probes not taken yet, by {@link #key}. */
    private volatile Map<String, CompletableFuture<Begun>> looks = new ConcurrentHashMap<>();

    /**
     * A probed host; the connection is still open.
     *
     * @param raw complete
     */
    record Begun(RemoteHost host, ProbeScript script, ProbeAnswer.Raw raw) {
        /** Empty if it does not cover the whole request. */
        Optional<ProbeAnswer> answer(Collection<Contract> contracts, boolean bus) {
            var wanted = ProbeScript.of(script.nonce(), contracts, bus);
            return script.numbersOf(wanted).map(numbers -> ProbeAnswer.of(wanted, raw.renumbered(numbers)));
        }
    }

    void begin(List<HostProbe.Early> early, Function<HostProbe.Early, Begun> ask) {
        var begun = new ConcurrentHashMap<String, CompletableFuture<Begun>>();
        early.stream()
                .limit(MOST)
                .forEach(look ->
                        begun.put(key(look.target()), CompletableFuture.supplyAsync(() -> ask.apply(look), threads)));
        looks = begun;
    }

    /** Identifies one route to a host. A text, because comparing records makes the JVM generate classes. */
    private static String key(SshTarget target) {
        return target.hostKeys().stream()
                .map(HostKey::line)
                .collect(Collectors.joining(" ", target + " " + target.privateKey() + " ", ""));
    }

    /** Waits for this host's probe, and hands it over with its connection. */
    Optional<Begun> take(SshTarget target) {
        return Optional.ofNullable(looks.remove(key(target))).flatMap(look -> ended(target, look));
    }

    /** As {@link #take}, but leaves the probe in place. */
    Optional<Begun> peek(SshTarget target) {
        return Optional.ofNullable(looks.get(key(target))).flatMap(look -> ended(target, look));
    }

    /** Empty if it failed: the caller probes again, and gets the error itself. */
    private static <T> Optional<T> ended(SshTarget target, Future<T> future) {
        try {
            return Optional.ofNullable(future.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SshFaults.interrupted(target, e);
        } catch (ExecutionException e) {
            return Optional.empty();
        }
    }

    private static void closeWhenOpen(CompletableFuture<Begun> look) {
        var _ = look.thenAccept(seen -> seen.host().close());
    }

    @Override
    public void close() {
        threads.shutdownNow();
        looks.values().forEach(ProbePrefetch::closeWhenOpen);
    }
}
