package io.deepsite.lxd;

import io.deepsite.provider.Introduction;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The provider {@code lxd}: machines on an LXD host or cluster. */
public final class LxdProviderFactory implements ProviderFactory<LxdSettings> {
    @Override
    public String name() {
        return "lxd";
    }

    @Override
    public Class<LxdSettings> settings() {
        return LxdSettings.class;
    }

    @Override
    public void check(CheckContext context, LxdSettings settings) {
        new LxdChecks(context, settings).run();
    }

    @Override
    public Provider open(LxdSettings settings, Path folder) {
        return new LxdProvider(settings, Endpoint.of(settings, folder), folder);
    }

    @Override
    public SortedMap<String, String> recorded(LxdSettings settings) {
        var values = new TreeMap<String, String>();
        values.put("endpoint", settings.endpoint());
        if (!settings.project().equals(LxdSettings.USUAL_PROJECT)) {
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
    public List<String> enroll(LxdSettings settings, Path folder, Introduction introduction) {
        return new Enrolment(settings, folder).by(introduction);
    }
}
