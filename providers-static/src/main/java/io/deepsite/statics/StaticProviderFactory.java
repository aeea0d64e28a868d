package io.deepsite.statics;

import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;

/** Found by ServiceLoader. */
public final class StaticProviderFactory implements ProviderFactory {
    @Override
    public String name() {
        return "static";
    }

    @Override
    public Provider open(ProviderSettings settings, Path folder) {
        if (!(settings instanceof ProviderSettings.Static ours)) {
            throw new IllegalArgumentException("settings of another provider: " + settings.provider());
        }
        var inventory = folder.resolve(ours.inventory()).toAbsolutePath().normalize();
        return new StaticProvider(
                inventory,
                new InventoryProgram("ansible-inventory", InventoryProgram.PATIENCE),
                TrustedHosts.files(Path.of(System.getProperty("user.home"))));
    }
}
