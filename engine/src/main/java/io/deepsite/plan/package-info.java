/**
 * The plan: desired against observed and recorded, as ordered steps with reasons, diffs, preconditions and consents.
 * Must not know how a step runs. Start at {@link io.deepsite.plan.Plan}; {@link io.deepsite.plan.Planner} makes one.
 */
@NullMarked
package io.deepsite.plan;

import org.jspecify.annotations.NullMarked;
