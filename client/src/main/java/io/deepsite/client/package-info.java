/**
 * A service of sites as the command line uses it: its API over HTTP, its events, and who is logged in there. Knows nothing
 * of how the service does it.
 */
@NullMarked
package io.deepsite.client;

import org.jspecify.annotations.NullMarked;
