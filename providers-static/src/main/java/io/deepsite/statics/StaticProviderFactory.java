package io.deepsite.statics;

import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The provider {@code static}: hosts that exist already, listed in an inventory. */
public final class StaticProviderFactory implements ProviderFactory<StaticSettings> {
    @Override
    public String name() {
        return "static";
    }

    @Override
    public Class<StaticSettings> settings() {
        return StaticSettings.class;
    }

    @Override
    public void check(CheckContext context, StaticSettings settings) {
        context.findings()
                .noEffect(
                        context.places(),
                        "lease",
                        "Existing hosts carry no expiry tag, so nothing would end the site.");
    }

    @Override
    public Provider open(StaticSettings settings, Path folder) {
        var inventory = folder.resolve(settings.inventory()).toAbsolutePath().normalize();
        return new StaticProvider(
                inventory,
                new InventoryProgram("ansible-inventory", InventoryProgram.PATIENCE),
                TrustedHosts.files(Path.of(System.getProperty("user.home"))));
    }

    @Override
    public SortedMap<String, String> recorded(StaticSettings settings) {
        return new TreeMap<>(Map.of("inventory", settings.inventory()));
    }
}
