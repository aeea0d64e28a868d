/**
 * Acceptance: runs a cluster's own proof on one of its hosts and tells what each check came to, as a table, JSON or JUnit.
 * Must not know what a proof does, or when one is due.
 * Start at {@link io.deepsite.verify.Verifier}.
 */
@NullMarked
package io.deepsite.verify;

import org.jspecify.annotations.NullMarked;
