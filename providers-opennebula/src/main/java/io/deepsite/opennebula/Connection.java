package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Client;
import io.deepsite.opennebula.oca.Session;
import io.deepsite.provider.Pause;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/**
 * The address of a front-end, and the user who calls it.
 *
 * @param origin where the session string comes from, for messages
 * @param tls the trusted authorities; empty for those of Java
 */
record Connection(URI endpoint, Session session, String origin, Optional<SSLSocketFactory> tls) {
    private static final Duration CONNECTING = Duration.ofSeconds(10);
    /** oned answers slowly for a pool of thousands of machines. */
    private static final Duration REPLY = Duration.ofSeconds(60);

    Client client(Pause pause) {
        return new Client(endpoint, session, tls, CONNECTING, REPLY, pause);
    }
}
