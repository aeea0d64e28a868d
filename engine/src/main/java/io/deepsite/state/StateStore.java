package io.deepsite.state;

import io.deepsite.diag.Failure;
import java.util.Optional;

/** Stores one site's recorded state. Each implementation passes {@code StateStoreContractTest}. */
public interface StateStore {

    /**
     * Empty if the site has no state here.
     *
     * @throws Failure STATE_TOO_NEW, STATE_UNREADABLE
     */
    Optional<SiteState> read();

    /**
     * Replaces the recorded state, all or nothing, durable on return. The caller holds the site's lock.
     *
     * @param next derived from the last read or write: same lineage, same serial
     * @return {@code next} with its new serial: one more
     * @throws Failure STATE_STALE if something else is recorded by now; STATE_NOT_WRITTEN
     */
    SiteState write(SiteState next);

    /**
     * Starts a new lineage over a recorded state that is empty. The caller holds the site's lock.
     *
     * @param next never written
     * @return {@code next} with its first serial
     * @throws Failure STATE_STALE if the recorded state is not empty; STATE_NOT_WRITTEN
     */
    SiteState supersede(SiteState next);
}
