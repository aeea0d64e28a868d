/**
 * Runs a plan: executes its step graph on virtual threads, with journal, state, resume and cancellation. Must not know
 * site.yaml, nor make a decision that the plan did not make. Start at {@link io.deepsite.apply.Applier}.
 */
@NullMarked
package io.deepsite.apply;

import org.jspecify.annotations.NullMarked;
