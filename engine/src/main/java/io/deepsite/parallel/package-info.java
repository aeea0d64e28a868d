/**
 * Concurrent work on virtual threads, for all packages above: the one place that knows how it ends. Must not know what
 * the work is about. Start at {@link io.deepsite.parallel.Fanout}.
 */
@NullMarked
package io.deepsite.parallel;

import org.jspecify.annotations.NullMarked;
