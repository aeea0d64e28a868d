package io.deepsite.service.sites;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to a site.
 *
 * @param seq counts up from 1 for each site, without a gap
 * @param run empty: not part of a run
 * @param event one JSON object
 */
public record EventRow(long seq, Optional<String> run, Instant at, String event) {}
