package io.deepsite.openstack;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Decides whether a request is sent again, and after which pause. Pure.
 *
 * <p>Again after 429 and 503 (the service did nothing); after a fault of a gateway or of the connection only if the request
 * is idempotent.
 *
 * @param attempts the most times that one request is sent, the first included
 * @param first pause before the second; doubles with each
 * @param longest pause, even if the cloud asks for a longer one
 */
record Backoff(int attempts, Duration first, Duration longest, RandomGenerator random) {
    private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "DELETE");

    /**
     * @param attempt attempts so far, at least one
     * @param retryAfter the header, seconds or a date; empty when there is none
     * @return empty: do not send it again
     */
    Optional<Duration> afterStatus(String method, int status, int attempt, String retryAfter, Instant now) {
        boolean again = status == 429
                || status == 503
                // Nova's "over limit" of old: with a Retry-After it is a rate, without it the quota.
                || (status == 413 && !retryAfter.isEmpty())
                || ((status == 502 || status == 504) && REPEATABLE.contains(method));
        return again && attempt < attempts ? Optional.of(pause(attempt, retryAfter, now)) : Optional.empty();
    }

    /** @param sent false when the connection was refused, so that nothing can have had an effect */
    Optional<Duration> afterFault(String method, boolean sent, int attempt) {
        return (!sent || REPEATABLE.contains(method)) && attempt < attempts
                ? Optional.of(doubled(attempt))
                : Optional.empty();
    }

    private Duration pause(int attempt, String retryAfter, Instant now) {
        var asked = asked(retryAfter, now);
        return asked.isPresent() && asked.get().compareTo(doubled(attempt)) > 0
                ? shorter(asked.get())
                : doubled(attempt);
    }

    private static Optional<Duration> asked(String retryAfter, Instant now) {
        if (retryAfter.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(retryAfter)));
        }
        try {
            var date = ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(Duration.between(now, date.toInstant()));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** With jitter of a quarter: many machines of one site are made at once, and must not come back at once. */
    private Duration doubled(int attempt) {
        var full = shorter(first.multipliedBy(1L << Math.min(attempt - 1, 16)));
        return full.multipliedBy(75 + random.nextInt(26)).dividedBy(100);
    }

    private Duration shorter(Duration pause) {
        return pause.compareTo(longest) > 0 ? longest : pause;
    }
}
