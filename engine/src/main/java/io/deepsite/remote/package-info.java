/**
 * Hosts over SSH: connections that are strict from the first packet, readiness, the probe that sees all items of a host in
 * one round trip.
 * Must not know plans, or what a difference between wanted and seen means.
 * Start at {@link io.deepsite.remote.HostProbe}.
 */
@NullMarked
package io.deepsite.remote;

import org.jspecify.annotations.NullMarked;
