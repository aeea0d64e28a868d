package io.deepsite.session;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.state.RecordedProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The providers on the class path. */
public final class Providers {
    /** Says nothing of its provider but which it is: the rest are the defaults. */
    private static final String USUAL = """
            apiVersion: deepsite/v1
            site: usual
            provider: {lxd: {pool: {}}}
            machines: {one: {image: debian/12}}
            """;

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

    /**
     * A back-end without a site, for what concerns all of its sites. Makes no remote call.
     *
     * @param endpoint empty for the one that a site has by default
     */
    public static Provider open(Optional<String> endpoint) {
        var usual = SiteLoader.load("the usual site", USUAL, Map.of()).orFail().provider();
        return switch (usual) {
            case ProviderSettings.Lxd lxd ->
                open(
                        new ProviderSettings.Lxd(
                                endpoint.orElse(lxd.endpoint()),
                                lxd.pool(),
                                lxd.network(),
                                lxd.certificate(),
                                lxd.key(),
                                lxd.serverCertificate()),
                        Path.of("").toAbsolutePath());
            case ProviderSettings.OpenStack cloud -> open(cloud, Path.of("").toAbsolutePath());
            case ProviderSettings.Static hosts -> open(hosts, Path.of("").toAbsolutePath());
        };
    }

    static RecordedProvider recorded(ProviderSettings settings) {
        var values = new TreeMap<String, String>();
        switch (settings) {
            case ProviderSettings.Lxd lxd -> {
                values.put("endpoint", lxd.endpoint());
                values.put("pool.name", lxd.pool().name());
                values.put("network", lxd.network());
            }
            case ProviderSettings.OpenStack cloud -> {
                cloud.cloud().ifPresent(name -> values.put("cloud", name));
                cloud.region().ifPresent(name -> values.put("region", name));
            }
            case ProviderSettings.Static hosts -> values.put("inventory", hosts.inventory());
        }
        return new RecordedProvider(settings.provider(), values);
    }
}
