package io.deepsite.provider;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Something on the back-end that carries our tags.
 *
 * @param attributes those that a {@link Resource} of its kind may hold; one that is absent there is absent here
 * @param version changes whenever anything about it changes (LXD: ETag)
 * @param condition complete, or what keeps it from being so
 * @param usedBy names of things that use it and are not part of this site; while there are any it is not deleted
 * @param removal when it goes: after everything of its site that has a lower number
 * @param handle distinguishes it from another resource of the same name, in the back-end's terms; empty where names are unique
 */
public record ObservedResource(
        ResourceId id,
        String name,
        SortedMap<String, String> attributes,
        Tags tags,
        String version,
        Condition condition,
        List<String> usedBy,
        int removal,
        String handle) {

    /**
     * What {@link #usedBy} names of a volume whose site asks to keep it. Releasing it leaves its contents and who may take
     * them up: the next site of the same name.
     */
    public static final String KEPT = "the next site of this name";

    /** One that goes at the usual time: machines first, a pool last. */
    public ObservedResource(
            ResourceId id,
            String name,
            SortedMap<String, String> attributes,
            Tags tags,
            String version,
            Condition condition,
            List<String> usedBy) {
        this(id, name, attributes, tags, version, condition, usedBy, usualRemoval(id.kind()), "");
    }

    private static int usualRemoval(String kind) {
        return switch (kind) {
            case ResourceId.MACHINE -> 0;
            case "pool" -> 2;
            default -> 1;
        };
    }

    public enum Condition {
        /** As a successful create leaves it; a machine runs. */
        READY,
        /** Created, but its create did not finish; create again finishes it. */
        HALF_MADE,
        /** A machine that does not run. */
        STOPPED
    }

    public ObservedResource {
        attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
        usedBy = List.copyOf(usedBy);
    }

    /** Its name, with what distinguishes it from another resource of that name. */
    public String called() {
        return name + (handle.isEmpty() ? "" : " (" + handle + ")");
    }
}
