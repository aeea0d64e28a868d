package io.deepsite.provider;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One thing a back-end shall have.
 *
 * @param name its name on the back-end
 * @param attributes everything deepsite decides about it; keys are the provider's own words, values plain text
 * @param dependsOn what must exist before it, and go after it
 */
public record Resource(
        ResourceId id, String name, SortedMap<String, Attribute> attributes, List<ResourceId> dependsOn) {

    /** @param change what it takes to change it on an existing resource */
    public record Attribute(String value, Mutability change) {}

    public enum Mutability {
        IN_PLACE,
        RESTART,
        REPLACE
    }

    public Resource {
        attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
        dependsOn = dependsOn.stream().sorted().toList();
    }

    public boolean isMachine() {
        return id.kind().equals(ResourceId.MACHINE);
    }

    public Map<String, String> values() {
        var values = new TreeMap<String, String>();
        attributes.forEach((key, attribute) -> values.put(key, attribute.value()));
        return values;
    }
}
