package io.deepsite.lxd;

import io.deepsite.provider.Introduction;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.util.List;

/** Opens {@code provider.lxd}. */
public final class LxdProviderFactory implements ProviderFactory {
    @Override
    public String name() {
        return "lxd";
    }

    @Override
    public Provider open(ProviderSettings settings, Path folder) {
        if (settings instanceof ProviderSettings.Lxd lxd) {
            return new LxdProvider(lxd, Endpoint.of(lxd, folder), folder);
        }
        throw new IllegalArgumentException("not settings of LXD: " + settings.provider());
    }

    @Override
    public List<String> enroll(ProviderSettings settings, Path folder, Introduction introduction) {
        if (settings instanceof ProviderSettings.Lxd lxd) {
            return new Enrolment(lxd, folder).by(introduction);
        }
        throw new IllegalArgumentException("not settings of LXD: " + settings.provider());
    }
}
