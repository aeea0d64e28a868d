package io.deepsite.verify;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import io.deepsite.remote.Remote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.verify.CheckResult.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Lets clusters prove themselves, all at once. */
public final class Verifier {
    private static final int LAST_WORDS = 10;
    /** Of one proof; a cluster of a thousand nodes has fewer. */
    static final int MOST_RESULTS = 20_000;

    private final Remote remote;
    private final int limit;

    public Verifier(Remote remote, int limit) {
        this.remote = remote;
        this.limit = limit;
    }

    /** @param script POSIX sh, run as root on the host; see {@code cluster.Acceptance} for what it prints */
    public record Proof(String cluster, SshTarget host, String script) {}

    /**
     * @param patience how long one job of a proof may wait for a busy node
     * @param limit for a whole proof
     * @param fresh machines that were just made or restarted: nobody's work can run there, so busy is a failure
     */
    public record Terms(Duration patience, Duration limit, SortedSet<String> fresh) {
        public Terms {
            fresh = new TreeSet<>(fresh);
        }
    }

    /**
     * A proof that cannot be run to its end is a failed check, not a fault of this method.
     *
     * @param stop asked before each proof: true begins it no more
     * @param progress told each result as it comes, from several threads
     * @throws Failure CANCELLED when one was not begun, or the calling thread was interrupted
     */
    public VerifyReport run(List<Proof> proofs, Terms terms, BooleanSupplier stop, Consumer<CheckResult> progress) {
        var results = new ArrayList<CheckResult>();
        Fanout.each(limit, proofs, proof -> one(proof, terms, stop, progress))
                .forEach((proof, outcome) -> results.addAll(
                        switch (outcome) {
                            case Fanout.Result.Done<List<CheckResult>>(var found) -> found;
                            case Fanout.Result.Failed<List<CheckResult>>(var diagnostics) ->
                                throw new Failure(diagnostics);
                        }));
        return new VerifyReport(results);
    }

    private List<CheckResult> one(Proof proof, Terms terms, BooleanSupplier stop, Consumer<CheckResult> progress) {
        if (stop.getAsBoolean()) {
            throw new Failure(
                    Diagnostic.error(Code.CANCELLED, "The proof of " + proof.cluster() + " was not begun.", ""));
        }
        var results = new ArrayList<CheckResult>();
        Consumer<CheckResult> add = result -> {
            results.add(result);
            progress.accept(result);
        };
        try (var host = remote.open(proof.host())) {
            var output = host.follow(proof.script(), environment(terms), terms.limit(), line -> {
                if (CheckLine.isOne(line) && results.size() < MOST_RESULTS) {
                    add.accept(judged(CheckLine.read(proof.cluster(), line), terms.fresh()));
                }
            });
            verdict(proof, output, results).ifPresent(add);
        } catch (Failure e) {
            if (e.isCancelled()) {
                throw e;
            }
            var first = e.diagnostics().getFirst();
            add.accept(failed(proof, first.code().summary() + ": " + first.why()));
        }
        return results;
    }

    private static SortedMap<String, String> environment(Terms terms) {
        return new TreeMap<>(Map.of(
                "DEEPSITE_PATIENCE", Long.toString(terms.patience().toSeconds()),
                "DEEPSITE_FRESH", String.join(" ", terms.fresh())));
    }

    private static CheckResult judged(CheckResult result, Set<String> fresh) {
        if (result.outcome() != Verdict.BUSY
                || result.node().filter(fresh::contains).isEmpty()) {
            return result;
        }
        return new CheckResult(
                result.cluster(),
                result.id(),
                Verdict.FAILED,
                result.node(),
                result.seconds(),
                "busy, though it was just made or restarted"
                        + (result.message().isEmpty() ? "" : ": " + result.message()));
    }

    /** What the end of the script says beyond its results. */
    private static Optional<CheckResult> verdict(Proof proof, RemoteHost.Output output, List<CheckResult> results) {
        if (results.size() >= MOST_RESULTS) {
            return Optional.of(failed(
                    proof, "the script printed " + MOST_RESULTS + " results and more; those after them were not read"));
        }
        var said = output.stderrTail(LAST_WORDS);
        var tail = said.isEmpty() ? "" : "; it said: " + said;
        boolean told = results.stream().anyMatch(result -> result.outcome() == Verdict.FAILED);
        if (output.exit() != 0 && !told) {
            return Optional.of(failed(proof, "the script died with exit code " + output.exit() + tail));
        }
        return results.isEmpty()
                ? Optional.of(failed(proof, "the script ended well, but printed no result" + tail))
                : Optional.empty();
    }

    private static CheckResult failed(Proof proof, String message) {
        return new CheckResult(
                proof.cluster(),
                "acceptance",
                Verdict.FAILED,
                Optional.of(proof.host().name()),
                0,
                message);
    }
}
