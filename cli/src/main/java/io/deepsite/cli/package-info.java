/**
 * The command line: picocli commands, and human and JSON views of the engine's results.
 * It must not hold logic: a command parses, calls the engine and shows the result.
 * Start reading at {@link io.deepsite.cli.Main}.
 */
@NullMarked
package io.deepsite.cli;

import org.jspecify.annotations.NullMarked;
