package io.deepsite.provider;

import io.deepsite.site.ProviderSettings;

/** {@code provider: {fake: {}}}: what {@link FakeProvider} needs to know. */
public record FakeSettings() implements ProviderSettings {
    @Override
    public String provider() {
        return "fake";
    }

    @Override
    public CardAddresses cardAddresses() {
        return CardAddresses.OF_ONE_HOST;
    }
}
