package io.deepsite.state;

import java.util.Objects;
import java.util.SortedMap;

/**
 * The back-end that made the site's machines.
 *
 * @param settings what opening it again takes (endpoint, project, pool, paths of certificates), dotted keys as in
 *     site.yaml; never a secret
 */
public record RecordedProvider(String name, SortedMap<String, String> settings) {
    public RecordedProvider {
        Objects.requireNonNull(name, "name");
        settings = Sorted.copyOf(settings);
    }
}
