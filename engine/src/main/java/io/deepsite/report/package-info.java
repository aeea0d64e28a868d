/**
 * What happened to a site, for a person who was not there: its machines, what the last run did, proof, drift, lease. Read
 * from what was recorded; as data, and as one HTML page without external parts.
 * Must not ask a back-end or a host, and must not know a terminal.
 * Start at {@link io.deepsite.report.SiteReport}.
 */
@NullMarked
package io.deepsite.report;

import org.jspecify.annotations.NullMarked;
