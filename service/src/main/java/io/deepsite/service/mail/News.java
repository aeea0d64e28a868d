package io.deepsite.service.mail;

import java.time.Duration;
import java.time.Instant;

/**
 * Something that somebody should hear of a site without looking at it.
 *
 * @param cause the same for the same piece of news, whoever finds it: the id of a run, or {@link #warning}; of one with
 *     whom the site is shared, after the id of the share
 * @param site its id
 * @param person the id of the one to tell
 */
record News(String cause, Kind kind, String site, String person) {
    enum Kind {
        READY,
        FAILED,
        LEASE_OVER,
        LEASE_ENDS
    }

    static String warning(String site, Instant end, Duration before) {
        return site + " " + end.getEpochSecond() + " " + before.toSeconds();
    }

    /** Of a warning: how long before the end. */
    Duration before() {
        return Duration.ofSeconds(Long.parseLong(cause.substring(cause.lastIndexOf(' ') + 1)));
    }
}
