package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Client;
import io.deepsite.opennebula.oca.Session;
import io.deepsite.provider.Pause;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/**
 * Where a front-end is, and who calls it.
 *
 * @param origin where the session string stands, for messages
 * @param tls who is trusted; empty: whom Java trusts
 */
record Connection(URI endpoint, Session session, String origin, Optional<SSLSocketFactory> tls) {
    private static final Duration CONNECTING = Duration.ofSeconds(10);
    /** A pool of thousands of machines takes oned a while. */
    private static final Duration REPLY = Duration.ofSeconds(60);

    Client client(Pause pause) {
        return new Client(endpoint, session, tls, CONNECTING, REPLY, pause);
    }
}
