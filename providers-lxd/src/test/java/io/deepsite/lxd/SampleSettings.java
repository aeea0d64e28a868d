package io.deepsite.lxd;

import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import java.util.Map;
import java.util.Optional;

/** Settings of the provider, changed one at a time. */
record SampleSettings(LxdSettings lxd) {
    static SampleSettings at(String endpoint, LxdPool pool, String network) {
        return new SampleSettings(new LxdSettings(
                endpoint,
                DaemonSettings.USUAL_PROJECT,
                pool,
                network,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    }

    /** The same of Incus. */
    IncusSettings incus() {
        return new IncusSettings(
                lxd.endpoint(),
                lxd.project(),
                lxd.pool(),
                lxd.network(),
                lxd.images(),
                lxd.groups(),
                lxd.certificate(),
                lxd.key(),
                lxd.serverCertificate());
    }

    SampleSettings certificates(String certificate, String key, String serverCertificate) {
        return with(lxd.project(), lxd.images(), lxd.groups(), certificate, key, serverCertificate);
    }

    SampleSettings project(String project) {
        return with(project, lxd.images(), lxd.groups());
    }

    SampleSettings image(String name, LxdImage image) {
        return with(lxd.project(), Map.of(new ImageName(name), image), lxd.groups());
    }

    SampleSettings group(String name, LxdMachines group) {
        return with(lxd.project(), lxd.images(), Map.of(new Name(name), group));
    }

    private SampleSettings with(
            String project, Map<ImageName, LxdImage> images, Map<Name, LxdMachines> groups, String... certificates) {
        boolean https = certificates.length > 0;
        return new SampleSettings(new LxdSettings(
                lxd.endpoint(),
                project,
                lxd.pool(),
                lxd.network(),
                images,
                groups,
                https ? Optional.of(certificates[0]) : lxd.certificate(),
                https ? Optional.of(certificates[1]) : lxd.key(),
                https ? Optional.of(certificates[2]) : lxd.serverCertificate()));
    }
}
