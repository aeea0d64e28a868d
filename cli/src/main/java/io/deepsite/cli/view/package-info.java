/**
 * How what the engine answers is shown: to people as text, to programs as JSON, and a run while it goes on.
 * Must not know picocli, nor read or write anything but the streams it is given.
 * Start at {@link io.deepsite.cli.view.PlanView}; {@link io.deepsite.cli.view.ProgressView} for a run.
 */
@NullMarked
package io.deepsite.cli.view;

import org.jspecify.annotations.NullMarked;
