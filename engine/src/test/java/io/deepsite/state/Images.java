package io.deepsite.state;

/** States that differ in one record, for tests that need no more. */
final class Images {
    private Images() {}

    /** Adds an image. */
    static SiteState with(SiteState state, String alias, String fingerprint) {
        var assets = state.assets();
        return new SiteState(
                state.header(),
                new SiteState.Assets(
                        assets.provider(),
                        assets.resources(),
                        assets.hosts(),
                        Sorted.with(assets.images(), alias, fingerprint),
                        assets.secrets(),
                        assets.parameters(),
                        assets.users()),
                state.lease(),
                state.history());
    }
}
