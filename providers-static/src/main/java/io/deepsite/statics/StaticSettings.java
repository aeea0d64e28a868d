package io.deepsite.statics;

import io.deepsite.site.Key;
import io.deepsite.site.ProviderSettings;

/** Hosts that exist already. */
public record StaticSettings(
        @Key(value = "An Ansible inventory; groups are named as the machine groups.", example = "inventories/rack1.yml")
        String inventory)
        implements ProviderSettings {
    @Override
    public String provider() {
        return "static";
    }

    @Override
    public boolean machinesExist() {
        return true;
    }

    @Override
    public CardAddresses cardAddresses() {
        return CardAddresses.OF_EACH_MACHINE;
    }
}
