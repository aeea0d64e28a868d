package io.deepsite.state;

/** States that differ in what they record, where a test asks no more. */
final class Images {
    private Images() {}

    /** The same with one image more. */
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
                        assets.parameters()),
                state.lease(),
                state.history());
    }
}
