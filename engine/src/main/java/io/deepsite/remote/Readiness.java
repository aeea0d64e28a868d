package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Waits until a host lets us in as root. */
public final class Readiness {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);
    private static final Duration COMMAND = Duration.ofSeconds(30);
    private static final int CONSOLE_LINES = 15;
    /** A machine that restarts is down for a moment, on a busy host for some seconds. */
    private static final Duration RESTART = Duration.ofSeconds(10);

    private final Remote remote;
    private final Duration limit;
    private final boolean lateHostKey;
    private final InstantSource clock;
    private final Sleep pause;

    /**
     * @param limit for one host, from the first try on
     * @param lateHostKey a host may show the key of its image before it has its own: then a wrong key is waited for, too,
     *     as {@link io.deepsite.provider.Capabilities} says. It is not trusted for that: nothing is sent to such a host
     */
    public Readiness(Remote remote, Duration limit, boolean lateHostKey) {
        this(remote, limit, lateHostKey, InstantSource.system(), Thread::sleep);
    }

    Readiness(Remote remote, Duration limit, boolean lateHostKey, InstantSource clock, Sleep pause) {
        this.remote = remote;
        this.limit = limit;
        this.lateHostKey = lateHostKey;
        this.clock = clock;
        this.pause = pause;
    }

    /** How a test makes time pass. */
    @FunctionalInterface
    interface Sleep {
        void of(Duration time) throws InterruptedException;
    }

    /**
     * Returns once a command ran as root.
     *
     * @param call told at each new reason to wait; asked before each try whether to stop
     * @param watch asked after each try that failed
     * @throws Failure HOST_SILENT or what the last try failed with, when the limit is over; MACHINE_DOWN, HOST_KEY_WRONG
     *     (unless it may come late) and LOGIN_KEY_UNUSABLE early, for waiting does not mend them; CANCELLED
     */
    public void await(SshTarget target, Call call, Watch watch) {
        run(target, "exit 0\n", call, watch);
    }

    /**
     * As {@link #await}; what the script said once it ran to its end, whatever its exit code.
     *
     * @param script run again from its start when the connection breaks under it
     */
    public RemoteHost.Output run(SshTarget target, String script, Call call, Watch watch) {
        var since = clock.instant();
        var seenUp = since;
        var next = FIRST_PAUSE;
        for (int tries = 1; ; tries++) {
            if (call.cancelled()) {
                throw new Failure(Diagnostic.error(
                        Code.CANCELLED, "Waiting for " + target + " was cancelled. Nothing was changed there.", ""));
            }
            var answer = tryOnce(target, script);
            if (answer instanceof Try.Answered(var output)) {
                return output;
            }
            var fault = ((Try.Failed) answer).why();
            var down = watch.down();
            var now = clock.instant();
            seenUp = down.isEmpty() ? now : seenUp;
            var waited = Duration.between(since, now);
            if (down.isPresent() && Duration.between(seenUp, now).compareTo(RESTART) >= 0) {
                throw new Failure(Diagnostic.error(
                        Code.MACHINE_DOWN,
                        tried(target, tries, since, waited, fault) + "\nThe back-end says of it: " + down.get() + "."
                                + console(watch),
                        "Fix what its console shows, then apply again: it starts the machine, or recreates it."));
            }
            if (waited.plus(next).compareTo(limit) > 0) {
                throw never(fault, tried(target, tries, since, waited, fault) + console(watch));
            }
            call.progress("waiting for SSH of " + target.name() + ", " + waited.toSeconds() + " s: "
                    + fault.code().summary());
            rest(target, next);
            next = shorter(next.multipliedBy(3).dividedBy(2), LONGEST_PAUSE);
        }
    }

    /** How one try went. */
    private sealed interface Try {
        record Answered(RemoteHost.Output output) implements Try {}

        record Failed(Diagnostic why) implements Try {}
    }

    private Try tryOnce(SshTarget target, String script) {
        try (var host = remote.open(target)) {
            return new Try.Answered(host.sh(script, COMMAND));
        } catch (Failure e) {
            var first = e.diagnostics().getFirst();
            return switch (first.code()) {
                // A host that boots refuses logins, drops connections and may not have its sudo rules yet.
                case HOST_SILENT, LOGIN_REFUSED, CONNECTION_BROKEN, COMMAND_TOO_SLOW, ROOT_NEEDED ->
                    new Try.Failed(first);
                case HOST_KEY_WRONG -> {
                    if (!lateHostKey) {
                        throw e;
                    }
                    yield new Try.Failed(first);
                }
                default -> throw e;
            };
        }
    }

    private void rest(SshTarget target, Duration time) {
        try {
            pause.of(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SshFaults.interrupted(target, e);
        }
    }

    private static Failure never(Diagnostic last, String why) {
        return new Failure(
                new Diagnostic(Diagnostic.Severity.ERROR, last.code(), null, why, last.fix(), last.commands()));
    }

    private static String tried(SshTarget target, int tries, Instant since, Duration waited, Diagnostic last) {
        return "SSH to " + target + " was tried " + tries + " times, from " + since.truncatedTo(ChronoUnit.SECONDS)
                + " for " + waited.toSeconds() + " s, and never worked. The last try: " + last.why();
    }

    private static String console(Watch watch) {
        var tail = tail(watch.console());
        return tail.isEmpty() ? "" : "\nThe end of its console:\n" + tail;
    }

    private static String tail(String console) {
        var lines = console.strip().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - CONSOLE_LINES), lines.size()))
                .replaceAll("[\\p{Cntrl}&&[^\n]]", "");
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
