/**
 * Work side by side on virtual threads, for everything above: the one place that knows how such work ends.
 * Must not know what the work is about.
 * Start at {@link io.deepsite.parallel.Fanout}.
 */
@NullMarked
package io.deepsite.parallel;

import org.jspecify.annotations.NullMarked;
