/**
 * The REST API /v1.
 * Start at {@link io.deepsite.service.api.Api}.
 */
@NullMarked
package io.deepsite.service.api;

import org.jspecify.annotations.NullMarked;
