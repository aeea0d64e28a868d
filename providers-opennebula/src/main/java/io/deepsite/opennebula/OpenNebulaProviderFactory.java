package io.deepsite.opennebula;

import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Opens an OpenNebula front-end: reads the session string, without a call. */
public final class OpenNebulaProviderFactory implements ProviderFactory<OpenNebulaSettings> {
    @Override
    public String name() {
        return "opennebula";
    }

    @Override
    public Class<OpenNebulaSettings> settings() {
        return OpenNebulaSettings.class;
    }

    @Override
    public void check(CheckContext context, OpenNebulaSettings settings) {
        new OpenNebulaProviderChecks(context, settings).run();
    }

    @Override
    public Provider open(OpenNebulaSettings settings, Path folder) {
        var connection = new ConnectionReader(Environment.ofProcess(), settings, folder).read();
        return new OpenNebulaProvider(settings, connection, Pause.REAL, InstantSource.system());
    }

    @Override
    public SortedMap<String, String> recorded(OpenNebulaSettings settings) {
        var values = new TreeMap<String, String>();
        settings.endpoint().ifPresent(endpoint -> values.put("endpoint", endpoint));
        return values;
    }

    @Override
    public List<String> options() {
        return List.of("endpoint");
    }
}
