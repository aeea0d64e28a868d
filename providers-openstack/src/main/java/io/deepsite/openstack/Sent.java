package io.deepsite.openstack;

import java.time.Duration;

/**
 * One request that was sent and answered.
 *
 * @param url without the query
 * @param requestId the cloud's id of it; empty if it gave none
 */
record Sent(String method, String url, int status, String requestId, Duration took) {}
