package io.deepsite.plan;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import java.util.Comparator;
import java.util.List;

/** The order in which things go: machines before what they use, a pool last. */
public final class Removal {
    private Removal() {}

    /** Without those that others use. */
    public static List<ObservedResource> inOrder(List<ObservedResource> resources) {
        return resources.stream()
                .filter(resource -> resource.usedBy().isEmpty())
                .sorted(Comparator.<ObservedResource>comparingInt(
                                resource -> rank(resource.id().kind()))
                        .thenComparing(ObservedResource::id))
                .toList();
    }

    static int rank(String kind) {
        return switch (kind) {
            case ResourceId.MACHINE -> 0;
            case "pool" -> 2;
            default -> 1;
        };
    }
}
