package io.deepsite.provider;

import io.deepsite.site.Site;
import java.util.List;

/** A snapshot of a back-end. */
public interface Survey {
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

    /** A few lines for `status` and `doctor`: product, version, pool, room. */
    List<String> describe();
}
