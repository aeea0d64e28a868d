package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until a host lets us in as root. */
public final class Readiness {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);
    private static final Duration COMMAND = Duration.ofSeconds(30);
    private static final int CONSOLE_LINES = 15;

    private final Remote remote;
    private final Duration limit;
    private final InstantSource clock;
    private final Pause pause;

    /** @param limit for one host, from the first try on */
    public Readiness(Remote remote, Duration limit) {
        this(remote, limit, InstantSource.system(), Thread::sleep);
    }

    Readiness(Remote remote, Duration limit, InstantSource clock, Pause pause) {
        this.remote = remote;
        this.limit = limit;
        this.clock = clock;
        this.pause = pause;
    }

    /** How a test makes time pass. */
    @FunctionalInterface
    interface Pause {
        void of(Duration time) throws InterruptedException;
    }

    /**
     * Returns once a command ran as root.
     *
     * @param call told at each new reason to wait; asked before each try whether to stop
     * @param console the last lines of the machine's console, or empty; asked only when the host never answers
     * @throws Failure HOST_SILENT or what the last try failed with, when the limit is over; HOST_KEY_WRONG and
     *     LOGIN_KEY_UNUSABLE at once, for waiting does not mend them; CANCELLED
     */
    public void await(SshTarget target, Call call, Supplier<String> console) {
        var since = clock.instant();
        var next = FIRST_PAUSE;
        for (int tries = 1; ; tries++) {
            if (call.cancelled()) {
                throw new Failure(Diagnostic.error(
                        Code.CANCELLED, "Waiting for " + target + " was cancelled. Nothing was changed there.", ""));
            }
            var fault = tryOnce(target);
            if (fault.isEmpty()) {
                return;
            }
            var waited = Duration.between(since, clock.instant());
            if (waited.plus(next).compareTo(limit) > 0) {
                throw never(target, fault.get(), tries, since, waited, console.get());
            }
            call.progress("waiting for SSH of " + target.name() + ", " + waited.toSeconds() + " s: "
                    + fault.get().code().summary());
            rest(target, next);
            next = shorter(next.multipliedBy(3).dividedBy(2), LONGEST_PAUSE);
        }
    }

    private Optional<Diagnostic> tryOnce(SshTarget target) {
        try (var host = remote.open(target)) {
            host.sh("exit 0\n", COMMAND);
            return Optional.empty();
        } catch (Failure e) {
            var first = e.diagnostics().getFirst();
            return switch (first.code()) {
                // A host that boots refuses logins, drops connections and may not have its sudo rules yet.
                case HOST_SILENT, LOGIN_REFUSED, CONNECTION_BROKEN, COMMAND_TOO_SLOW, ROOT_NEEDED -> Optional.of(first);
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

    private Failure never(
            SshTarget target, Diagnostic last, int tries, Instant since, Duration waited, String console) {
        var why = new StringBuilder("SSH to " + target + " was tried " + tries + " times, from "
                + since.truncatedTo(ChronoUnit.SECONDS) + " for " + waited.toSeconds()
                + " s, and never worked. The last try: " + last.why());
        var tail = tail(console);
        why.append(tail.isEmpty() ? "" : "\nThe end of its console:\n" + tail);
        return new Failure(new Diagnostic(
                Diagnostic.Severity.ERROR, last.code(), null, why.toString(), last.fix(), last.commands()));
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
