package io.deepsite.openstack;

import io.deepsite.state.Secret;
import java.time.Instant;
import org.openstack4j.model.identity.v3.Token;

/**
 * A token of one project, and what Keystone told with it.
 *
 * @param openstack4j the same for openstack4j, without the token itself: requests get it from the connection
 */
record Login(
        Secret token,
        Instant expires,
        String userId,
        String projectId,
        String projectName,
        Catalogue catalogue,
        Token openstack4j) {}
