package io.deepsite.service.sites;

import java.time.Instant;
import java.util.Optional;

/**
 * Somebody else who uses a site.
 *
 * @param person the id of a person
 * @param account on its machines; empty: the site gives none
 * @param uid of the account
 * @param endedAt empty: it goes on
 */
public record ShareRow(
        String id,
        String site,
        String person,
        String personName,
        Optional<String> account,
        Optional<Integer> uid,
        String sharedBy,
        Instant sharedAt,
        Optional<Instant> endedAt) {}
