package io.deepsite.service.sites;

import io.deepsite.service.catalogue.Amounts;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a site that is built is to become.
 *
 * @param parameters all of them, also those that stay
 * @param amounts what it counts for then
 * @param before state that it goes back to if nobody says yes
 */
public record Resize(SortedMap<String, String> parameters, Amounts amounts, SiteStatus before) {
    public Resize {
        parameters = new TreeMap<>(parameters);
    }
}
