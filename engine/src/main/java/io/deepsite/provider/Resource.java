package io.deepsite.provider;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The attribute with the name of the baked image that a machine is made from, in place of the image that it is of. */
    public static final String BAKED_IMAGE = "baked-image";

    /** The attribute of a volume that an earlier site of the name left, and that is taken up with what it holds. */
    public static final String TAKEN_UP = "taken-up";

    /** @param change what it takes to change it on an existing resource */
    public record Attribute(String value, Mutability change) {}

    public enum Mutability {
        /** Only creation uses it: it is neither observed nor recorded, and what exists is never compared with it. */
        ON_CREATE,
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

    /** Those that an existing resource has, too: all but what only its creation uses. */
    public Map<String, String> lastingValues() {
        var values = new TreeMap<String, String>();
        attributes.forEach((key, attribute) -> {
            if (attribute.change() != Mutability.ON_CREATE) {
                values.put(key, attribute.value());
            }
        });
        return values;
    }

    /** The same machine, made from a baked image. */
    public Resource fromBaked(String image) {
        var more = new TreeMap<>(attributes);
        more.put(BAKED_IMAGE, new Attribute(image, Mutability.ON_CREATE));
        return new Resource(id, name, more, dependsOn);
    }

    public boolean isTakenUp() {
        return attributes.containsKey(TAKEN_UP);
    }

    public Optional<String> bakedImage() {
        return Optional.ofNullable(attributes.get(BAKED_IMAGE)).map(Attribute::value);
    }
}
