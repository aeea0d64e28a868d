package io.deepsite.openstack;

import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.load.CheckContext;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The provider {@code openstack}: machines in a project of an OpenStack cloud. To open it reads the credentials, and makes no call. */
public final class OpenStackProviderFactory implements ProviderFactory<OpenStackSettings> {
    @Override
    public String name() {
        return "openstack";
    }

    @Override
    public Class<OpenStackSettings> settings() {
        return OpenStackSettings.class;
    }

    @Override
    public void check(CheckContext context, OpenStackSettings settings) {
        new OpenStackChecks(context, settings).run();
    }

    @Override
    public Provider open(OpenStackSettings settings, Path folder) {
        var credentials = new CredentialsReader(Environment.ofProcess(), settings).read();
        return new OpenStackProvider(
                settings, Connection.open(credentials), folder, Pause.REAL, InstantSource.system());
    }

    @Override
    public SortedMap<String, String> recorded(OpenStackSettings settings) {
        var values = new TreeMap<String, String>();
        settings.cloud().ifPresent(name -> values.put("cloud", name));
        settings.region().ifPresent(name -> values.put("region", name));
        return values;
    }

    @Override
    public List<String> options() {
        return List.of("cloud", "region");
    }

    @Override
    public Optional<SortedMap<String, String>> unattended(OpenStackSettings settings) {
        return new CredentialsReader(Environment.ofProcess(), settings).unattended();
    }
}
