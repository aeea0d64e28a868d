/**
 * Shows the engine's results: as text for people, as JSON for programs, and runs in progress.
 * Must not know picocli, nor read or write anything but the given streams.
 * Start at {@link io.deepsite.cli.view.PlanView}; {@link io.deepsite.cli.view.ProgressView} for a run.
 */
@NullMarked
package io.deepsite.cli.view;

import org.jspecify.annotations.NullMarked;
