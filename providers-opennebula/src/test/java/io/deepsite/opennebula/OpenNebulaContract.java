package io.deepsite.opennebula;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ProviderContractTest;
import io.deepsite.site.ProviderSettings;
import java.util.Set;

/** What the contract of all providers asks of OpenNebula, real or played. */
abstract class OpenNebulaContract extends ProviderContractTest {
    final OpenNebulaSettings settings;

    OpenNebulaContract(OpenNebulaSettings settings) {
        this.settings = settings;
    }

    @Override
    protected ProviderSettings settings() {
        return settings;
    }

    @Override
    protected boolean placesFiles() {
        return false;
    }

    @Override
    protected boolean bakesImages() {
        return true;
    }

    @Override
    protected boolean keepsVolumes() {
        return true;
    }

    @Override
    protected Set<String> released() {
        return Set.of(Kinds.NETWORK, Kinds.GUARD);
    }

    static boolean isNetwork(ObservedResource seen) {
        return seen.id().kind().equals(Kinds.NETWORK);
    }
}
