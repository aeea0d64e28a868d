package io.deepsite.session;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import io.deepsite.state.RecordedProvider;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The providers on the class path. */
public final class Providers {
    private Providers() {}

    /** Makes no remote call. */
    public static Provider open(ProviderSettings settings, Path folder) {
        for (var factory : ServiceLoader.load(ProviderFactory.class)) {
            if (factory.name().equals(settings.provider())) {
                return factory.open(settings, folder);
            }
        }
        throw new Failure(Diagnostic.error(
                Code.INTERNAL,
                "No provider " + settings.provider() + " is on the class path.",
                "This is a bug in deepsite."));
    }

    static RecordedProvider recorded(ProviderSettings settings) {
        var values = new TreeMap<String, String>();
        switch (settings) {
            case ProviderSettings.Lxd lxd -> {
                values.put("endpoint", lxd.endpoint());
                values.put("pool.name", lxd.pool().name());
                values.put("network", lxd.network());
            }
            case ProviderSettings.Static hosts -> values.put("inventory", hosts.inventory());
        }
        return new RecordedProvider(settings.provider(), values);
    }
}
