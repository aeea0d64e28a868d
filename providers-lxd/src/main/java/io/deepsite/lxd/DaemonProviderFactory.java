package io.deepsite.lxd;

import io.deepsite.provider.Introduction;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Opens either daemon by its settings. */
abstract sealed class DaemonProviderFactory<S extends DaemonSettings> implements ProviderFactory<S>
        permits LxdProviderFactory, IncusProviderFactory {
    private final Daemon daemon;
    private final Class<S> settings;

    DaemonProviderFactory(Daemon daemon, Class<S> settings) {
        this.daemon = daemon;
        this.settings = settings;
    }

    @Override
    public String name() {
        return daemon.key();
    }

    @Override
    public Class<S> settings() {
        return settings;
    }

    @Override
    public void check(CheckContext context, S settings) {
        new LxdChecks(context, settings).run();
    }

    @Override
    public Provider open(S settings, Path folder) {
        return new LxdProvider(settings, Endpoint.of(settings, folder), folder);
    }

    @Override
    public SortedMap<String, String> recorded(S settings) {
        var values = new TreeMap<String, String>();
        values.put("endpoint", settings.endpoint());
        if (!settings.project().equals(DaemonSettings.USUAL_PROJECT)) {
            values.put("project", settings.project());
        }
        values.put("pool.name", settings.pool().name());
        values.put("network", settings.network());
        return values;
    }

    @Override
    public List<String> options() {
        return List.of("endpoint", "project");
    }

    @Override
    public List<String> enroll(S settings, Path folder, Introduction introduction) {
        return new Enrolment(settings, folder).by(introduction);
    }
}
