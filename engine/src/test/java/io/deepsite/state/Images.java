package io.deepsite.state;

/** States that differ in one record, for tests that need no more. */
final class Images {
    private Images() {}

    /** Adds an image. */
    static SiteState with(SiteState state, String alias, String fingerprint) {
        return new SiteState(
                state.formatVersion(),
                state.serial(),
                state.lineage(),
                state.site(),
                state.toolVersion(),
                state.provider(),
                state.resources(),
                state.hosts(),
                Sorted.with(state.images(), alias, fingerprint),
                state.secrets(),
                state.parameters(),
                state.lease(),
                state.verify(),
                state.apply(),
                state.firstRunOf());
    }
}
