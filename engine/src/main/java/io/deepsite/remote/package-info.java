/**
 * Hosts over SSH: connections that verify host keys from the first packet, readiness, and the probe that reads all
 * items of a host in one round trip. Must not know plans, or what a difference between wanted and observed means. Start
 * at {@link io.deepsite.remote.HostProbe}.
 */
@NullMarked
package io.deepsite.remote;

import org.jspecify.annotations.NullMarked;
