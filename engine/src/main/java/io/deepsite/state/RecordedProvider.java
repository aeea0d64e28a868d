package io.deepsite.state;

import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The back-end that made the site's machines.
 *
 * @param settings needed to open it again (endpoint, project, pool, paths of certificates), dotted keys as in
 *     site.yaml; never a secret
 * @param identity which back-end it is, as reported by its provider; null in a state written before it was recorded
 * @param at the same in words; null likewise
 */
public record RecordedProvider(
        String name,
        SortedMap<String, String> settings,
        @Nullable String identity,
        @Nullable String at) {
    public RecordedProvider {
        Objects.requireNonNull(name, "name");
        settings = Sorted.copyOf(settings);
    }
}
