/**
 * Acceptance: runs a cluster's own proof on one of its hosts and reports the result of each check as a table, JSON or
 * JUnit. Must not know what a proof does, or when one is due. Start at {@link io.deepsite.verify.Verifier}.
 */
@NullMarked
package io.deepsite.verify;

import org.jspecify.annotations.NullMarked;
