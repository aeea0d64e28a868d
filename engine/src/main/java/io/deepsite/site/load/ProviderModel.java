package io.deepsite.site.load;

import io.deepsite.site.ProviderSettings;

/** What the reader of site.yaml takes from a provider. */
public interface ProviderModel<S extends ProviderSettings> {
    /** The provider's key below {@code provider}. */
    String name();

    /** A public record whose components are the keys, each with {@link io.deepsite.site.Key}. */
    Class<S> settings();

    /**
     * What {@code init} writes for it: the key {@code provider} with its settings, and the machine groups head and node. Read
     * from {@code <name>.yaml} beside the class.
     */
    default String template() {
        return SiteTemplate.resource(getClass(), name());
    }

    /** Adds what is wrong with the settings, beyond what their keys say by themselves, to the findings of the context. */
    void check(CheckContext context, S settings);
}
