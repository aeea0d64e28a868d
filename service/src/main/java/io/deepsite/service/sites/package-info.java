/**
 * The life of sites of users: ordered, planned, built, used, deleted; quotas, the queue, and the work itself. Knows no HTTP.
 * Start at {@link io.deepsite.service.sites.SiteService}.
 */
@NullMarked
package io.deepsite.service.sites;

import org.jspecify.annotations.NullMarked;
