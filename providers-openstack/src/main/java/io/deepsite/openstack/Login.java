package io.deepsite.openstack;

import io.deepsite.state.Secret;
import java.time.Duration;
import java.time.Instant;
import org.openstack4j.model.identity.v3.Token;

/**
 * A token of one project, and what Keystone told with it.
 *
 * @param openstack4j the same for openstack4j, without the token itself: requests get it from the connection
 */
record Login(
        Secret token,
        Instant obtained,
        Instant expires,
        String userId,
        String projectId,
        String projectName,
        ServiceCatalogue catalogue,
        Token openstack4j) {
    /** A call in flight must not outlive its token. */
    private static final Duration BEFORE_THE_END = Duration.ofMinutes(2);

    /**
     * Time for another one. Never of a token that was over when it came: then the two clocks disagree, and the cloud's
     * refusal tells.
     */
    boolean isEnding(Instant now) {
        var tenth = Duration.between(obtained, expires).dividedBy(10);
        var margin = tenth.compareTo(BEFORE_THE_END) < 0 ? tenth : BEFORE_THE_END;
        return tenth.isPositive() && now.isAfter(expires.minus(margin));
    }
}
