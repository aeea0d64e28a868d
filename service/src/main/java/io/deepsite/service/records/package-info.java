/**
 * Tables of the service, of its own process or in PostgreSQL. Knows no HTTP.
 * Start at {@link io.deepsite.service.records.Tables}.
 */
@NullMarked
package io.deepsite.service.records;

import org.jspecify.annotations.NullMarked;
