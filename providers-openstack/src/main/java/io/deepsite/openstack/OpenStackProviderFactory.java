package io.deepsite.openstack;

import io.deepsite.provider.Pause;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.time.InstantSource;

/** Opens a project of an OpenStack cloud; reads the credentials, and makes no call. */
public final class OpenStackProviderFactory implements ProviderFactory {
    @Override
    public String name() {
        return "openstack";
    }

    @Override
    public Provider open(ProviderSettings settings, Path folder) {
        if (!(settings instanceof ProviderSettings.OpenStack openStack)) {
            throw new IllegalArgumentException("not settings of OpenStack: " + settings);
        }
        var credentials = new CredentialsReader(Environment.ofProcess(), openStack).read();
        return new OpenStackProvider(
                openStack, Connection.open(credentials), folder, Pause.REAL, InstantSource.system());
    }
}
