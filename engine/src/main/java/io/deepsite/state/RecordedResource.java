package io.deepsite.state;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * A resource that a provider made for the site.
 *
 * @param kind {@code machine}, {@code pool}, {@code network} …, the provider's own word
 * @param name what the back-end calls it
 * @param attributes as last created or updated, including what the back-end chose (an address, an id)
 * @param dependsOn ids of resources that were created before this one, and are deleted after it
 */
public record RecordedResource(String kind, String name, SortedMap<String, String> attributes, List<String> dependsOn) {
    public RecordedResource {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        attributes = Sorted.copyOf(attributes);
        dependsOn = List.copyOf(dependsOn);
    }
}
