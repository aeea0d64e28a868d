/**
 * Leases: their terms, extension and enforcement, and the reaper, which needs only tags. Must not know site.yaml or any
 * state folder. Start at {@link io.deepsite.lease.Reaper}.
 */
@NullMarked
package io.deepsite.lease;

import org.jspecify.annotations.NullMarked;
