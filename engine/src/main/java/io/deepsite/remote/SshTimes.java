package io.deepsite.remote;

import java.time.Duration;

/**
 * How long a host may take.
 *
 * @param connect for TCP alone
 * @param login from the first packet to the end of the login; generous, because cryptography is slow on a booting host,
 *     or on a laptop that talks to a hundred of them
 * @param again minimum pause before a retry after the server rejected the connection
 */
public record SshTimes(Duration connect, Duration login, Duration again) {
    public static final SshTimes USUAL =
            new SshTimes(Duration.ofSeconds(10), Duration.ofSeconds(45), Duration.ofMillis(300));
}
