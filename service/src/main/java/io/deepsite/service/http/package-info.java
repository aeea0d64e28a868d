/**
 * Requests, answers and their routes, on Jetty. Knows nothing of sites or people.
 * Start at {@link io.deepsite.service.http.Router}.
 */
@NullMarked
package io.deepsite.service.http;

import org.jspecify.annotations.NullMarked;
