/**
 * Lifetimes: what a lease says, how it is lengthened, who enforces it, and the reaper that needs nothing but tags.
 * Must not know site.yaml or any state folder.
 * Start at {@link io.deepsite.lease.Reaper}.
 */
@NullMarked
package io.deepsite.lease;

import org.jspecify.annotations.NullMarked;
