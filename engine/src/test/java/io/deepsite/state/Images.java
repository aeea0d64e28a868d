package io.deepsite.state;

/** States that differ in what they record, where a test asks no more. */
final class Images {
    private Images() {}

    /** The same with one image more. */
    static SiteState with(SiteState state, String alias, String fingerprint) {
        var inventory = state.inventory();
        return new SiteState(
                state.header(),
                new SiteState.Inventory(
                        inventory.provider(),
                        inventory.resources(),
                        inventory.hosts(),
                        Sorted.with(inventory.images(), alias, fingerprint),
                        inventory.secrets(),
                        inventory.parameters()),
                state.lease(),
                state.history());
    }
}
