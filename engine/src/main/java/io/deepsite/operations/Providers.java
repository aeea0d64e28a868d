package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Introduction;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.site.load.SiteModel;
import io.deepsite.state.RecordedProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The providers on the class path. */
public final class Providers {
    private static final String HEAD = "{apiVersion: deepsite/v1, site: usual, machines: {one: {image: debian/12}}, ";
    /** Sites that say nothing of their provider but which it is: the rest are the defaults. */
    private static final String USUAL = HEAD + "provider: {lxd: {pool: {}}}}";

    private static final String USUAL_CLOUD = HEAD + "provider: {openstack: {}}}";
    private static final String USUAL_FRONT_END = HEAD + "provider: {opennebula: {}}}";

    private Providers() {}

    /** Makes no remote call. */
    public static Provider open(ProviderSettings settings, Path folder) {
        return factory(settings).open(settings, folder);
    }

    /** @see ProviderFactory#enroll */
    public static List<String> enroll(ProviderSettings settings, Path folder, Introduction introduction) {
        return factory(settings).enroll(settings, folder, introduction);
    }

    private static ProviderFactory factory(ProviderSettings settings) {
        for (var factory : ServiceLoader.load(ProviderFactory.class)) {
            if (factory.name().equals(settings.provider())) {
                return factory;
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
     * @param project likewise
     */
    public static Provider open(Optional<String> endpoint, Optional<String> project) {
        return switch (usual(USUAL)) {
            case ProviderSettings.Lxd lxd ->
                open(
                        new ProviderSettings.Lxd(
                                endpoint.orElse(lxd.endpoint()),
                                project.orElse(lxd.project()),
                                lxd.pool(),
                                lxd.network(),
                                lxd.images(),
                                lxd.groups(),
                                lxd.certificate(),
                                lxd.key(),
                                lxd.serverCertificate()),
                        Path.of("").toAbsolutePath());
            case ProviderSettings.OpenStack cloud -> open(cloud, Path.of("").toAbsolutePath());
            case ProviderSettings.OpenNebula one -> open(one, Path.of("").toAbsolutePath());
            case ProviderSettings.Static hosts -> open(hosts, Path.of("").toAbsolutePath());
        };
    }

    /**
     * A project of a cloud without a site. Makes no remote call.
     *
     * @param name in clouds.yaml; empty: as a site that names none
     */
    public static Provider openCloud(Optional<String> name) {
        if (!(usual(USUAL_CLOUD) instanceof ProviderSettings.OpenStack cloud)) {
            throw new IllegalStateException("the usual cloud is none");
        }
        var named = new ProviderSettings.OpenStack(
                name,
                cloud.region(),
                cloud.facing(),
                cloud.network(),
                cloud.images(),
                cloud.groups(),
                cloud.bastion(),
                cloud.createFlavors(),
                cloud.retries());
        return open(named, Path.of("").toAbsolutePath());
    }

    /**
     * A front-end of OpenNebula without a site. Makes no remote call.
     *
     * @param endpoint empty: as a site that names none
     */
    public static Provider openFrontEnd(Optional<String> endpoint) {
        if (!(usual(USUAL_FRONT_END) instanceof ProviderSettings.OpenNebula one)) {
            throw new IllegalStateException("the usual front-end is none");
        }
        var named = new ProviderSettings.OpenNebula(
                endpoint,
                one.auth(),
                one.authority(),
                one.network(),
                one.images(),
                one.groups(),
                one.datastore(),
                one.patience());
        return open(named, Path.of("").toAbsolutePath());
    }

    private static ProviderSettings usual(String text) {
        return new SiteLoader(new SiteModel(List.of()))
                .load("the usual site", text, Map.of())
                .orFail()
                .provider();
    }

    static RecordedProvider recorded(ProviderSettings settings, BackEnd backEnd) {
        var values = new TreeMap<String, String>();
        switch (settings) {
            case ProviderSettings.Lxd lxd -> {
                values.put("endpoint", lxd.endpoint());
                if (!lxd.project().equals(ProviderSettings.Lxd.USUAL_PROJECT)) {
                    values.put("project", lxd.project());
                }
                values.put("pool.name", lxd.pool().name());
                values.put("network", lxd.network());
            }
            case ProviderSettings.OpenStack cloud -> {
                cloud.cloud().ifPresent(name -> values.put("cloud", name));
                cloud.region().ifPresent(name -> values.put("region", name));
            }
            case ProviderSettings.OpenNebula one ->
                one.endpoint().ifPresent(endpoint -> values.put("endpoint", endpoint));
            case ProviderSettings.Static hosts -> values.put("inventory", hosts.inventory());
        }
        return new RecordedProvider(settings.provider(), values, backEnd.identity(), backEnd.words());
    }
}
