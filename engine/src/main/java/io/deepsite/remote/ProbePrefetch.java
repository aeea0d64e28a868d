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
 * Looks at hosts while the back-end is asked and contracts are rendered: on a small site the look is the longest part of a
 * plan. What fails early is simply asked again when it is needed.
 */
final class ProbePrefetch implements AutoCloseable {
    /** Beyond that the hosts wait for each other anyway. */
    private static final int MOST = 16;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Those that nobody took, by {@link #key}. */
    private volatile Map<String, CompletableFuture<Begun>> looks = new ConcurrentHashMap<>();

    /**
     * A host that was asked something; the connection is still open.
     *
     * @param raw complete
     */
    record Begun(RemoteHost host, ProbeScript script, ProbeAnswer.Raw raw) {
        /** Empty when it was not asked all of it. */
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

    /** What tells one way to a host from another. A text, because the JVM spins classes for comparing records. */
    private static String key(SshTarget target) {
        return target.hostKeys().stream()
                .map(HostKey::line)
                .collect(Collectors.joining(" ", target + " " + target.privateKey() + " ", ""));
    }

    /** Waits for the look that was begun at this host, and hands it over with its connection. */
    Optional<Begun> take(SshTarget target) {
        return Optional.ofNullable(looks.remove(key(target))).flatMap(look -> ended(target, look));
    }

    /** As {@link #take}, but the look stays for whoever takes it. */
    Optional<Begun> peek(SshTarget target) {
        return Optional.ofNullable(looks.get(key(target))).flatMap(look -> ended(target, look));
    }

    /** Empty when it failed: whoever needs it asks again, and gets the fault with its words. */
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
