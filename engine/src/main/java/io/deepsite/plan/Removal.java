package io.deepsite.plan;

import io.deepsite.provider.ObservedResource;
import java.util.Comparator;
import java.util.List;

/** The order of deletion: machines before what they use. */
public final class Removal {
    private Removal() {}

    /** Omits resources that others use. */
    public static List<ObservedResource> inOrder(List<ObservedResource> resources) {
        return resources.stream()
                .filter(resource -> resource.usedBy().isEmpty())
                .sorted(Comparator.comparingInt(ObservedResource::removal).thenComparing(ObservedResource::id))
                .toList();
    }
}
