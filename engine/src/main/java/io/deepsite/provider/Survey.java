package io.deepsite.provider;

import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** A snapshot of a back-end. */
public interface Survey {
    /** Whose snapshot it is. */
    BackEnd backEnd();

    /** Everything that carries our tags within the scope, in order of id. */
    List<ObservedResource> owned();

    /**
     * What the site needs of this back-end. Pure: the same site, requirements and snapshot give the same design.
     * Addresses are allocated here, and machines that exist keep theirs.
     *
     * @throws io.deepsite.diag.Failure with all faults at once: a missing image, a pool of driver dir, too few GPUs, a
     *     name that exists and is not ours
     */
    Design compile(Site site, Requirements requirements);

    /**
     * The same snapshot, from which {@link #compile} gives every machine the image that its name means now; else one that
     * exists keeps the image it was made from, and a new one takes that of its siblings.
     */
    default Survey withImagesOfNow() {
        return this;
    }

    /** Names of images that mean another image now than that which a machine of the site was made from. */
    default SortedSet<String> movedImages(Site site) {
        return new TreeSet<>();
    }

    /**
     * The image that a machine of a design is of, in words that change with its content. Empty where the back-end bakes no
     * images.
     */
    default Optional<String> imageOf(Resource machine) {
        return Optional.empty();
    }

    /** Names of the baked images that are there, each complete. */
    default SortedSet<String> bakedImages() {
        return new TreeSet<>();
    }

    /**
     * What the list of existing hosts declares of their size, by machine of the site's design; only of hosts of which it says
     * enough.
     *
     * @throws io.deepsite.diag.Failure with all declarations that cannot be read
     */
    default Map<String, DeclaredSize> declaredSizes(Site site) {
        return Map.of();
    }

    /** A few lines for `status` and `doctor`: product, version, pool, room. */
    List<String> describe();
}
