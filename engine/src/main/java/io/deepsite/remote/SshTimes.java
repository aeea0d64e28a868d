package io.deepsite.remote;

import java.time.Duration;

/**
 * How long a host may take.
 *
 * @param connect for TCP alone
 * @param login from the first packet to the end of the login; generous, because a host that boots, or a laptop that talks
 *     to a hundred of them, is slow at cryptography
 * @param again least pause before another try, when the server turned us away
 */
public record SshTimes(Duration connect, Duration login, Duration again) {
    public static final SshTimes USUAL =
            new SshTimes(Duration.ofSeconds(10), Duration.ofSeconds(45), Duration.ofMillis(300));
}
