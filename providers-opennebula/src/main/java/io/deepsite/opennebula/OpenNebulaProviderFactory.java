package io.deepsite.opennebula;

import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens an OpenNebula front-end: reads the session string, without a call. */
public final class OpenNebulaProviderFactory implements ProviderFactory {
    @Override
    public String name() {
        return "opennebula";
    }

    @Override
    public Provider open(ProviderSettings settings, Path folder) {
        if (!(settings instanceof ProviderSettings.OpenNebula one)) {
            throw new IllegalArgumentException("not settings of OpenNebula: " + settings);
        }
        var connection = new ConnectionReader(Environment.ofProcess(), one, folder).read();
        return new OpenNebulaProvider(one, connection, Pause.REAL, InstantSource.system());
    }
}
