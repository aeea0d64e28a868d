package io.deepsite.state;

import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The back-end that made the site's machines.
 *
 * @param settings what opening it again takes (endpoint, project, pool, paths of certificates), dotted keys as in
 *     site.yaml; never a secret
 * @param identity which back-end it is, as its provider tells; null in a state that was written before this was asked
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
