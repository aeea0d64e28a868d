package io.deepsite.state;

import io.deepsite.diag.Failure;
import java.util.Optional;

/** Where one site's recorded state lies. Each implementation passes {@code StateStoreContractTest}. */
public interface StateStore {

    /**
     * Empty when the site was never recorded here.
     *
     * @throws Failure STATE_TOO_NEW, STATE_UNREADABLE
     */
    Optional<SiteState> read();

    /**
     * Replaces what is recorded, all or nothing, durable on return. The caller holds the site's lock.
     *
     * @param next made from what was read or written last: same lineage, same serial
     * @return {@code next} with the serial it now has: one more
     * @throws Failure STATE_STALE when something else is recorded by now; STATE_NOT_WRITTEN
     */
    SiteState write(SiteState next);

    /**
     * Begins with a state of another lineage where one is recorded that holds nothing any more. The caller holds the site's
     * lock.
     *
     * @param next never written
     * @return {@code next} with its first serial
     * @throws Failure STATE_STALE when what is recorded holds something; STATE_NOT_WRITTEN
     */
    SiteState supersede(SiteState next);
}
