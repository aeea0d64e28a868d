package io.deepsite.cluster;

import io.deepsite.contract.Digests;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.site.Site;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stage that mounts volumes which the provider attaches to one machine, as disks. */
final class DiskStage {
    static final String NAME = "site.disks";

    private static final String ROLE = "site_disks";
    /** Of the digest in a label: ext4 has room for 16 characters. */
    private static final int DIGITS = 12;

    private DiskStage() {}

    /** Empty where no machine has such a disk. */
    static Optional<Stage> of(Site site, Requirements requirements, List<Machine> machines) {
        if (!site.provider().attachesVolumes()) {
            return Optional.empty();
        }
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        for (var machine : machines) {
            var disks = requirements.of(machine.group()).volumes().stream()
                    .map(volume -> disk(site, volume))
                    .toList();
            if (!disks.isEmpty()) {
                byHost.put(
                        machine.name(),
                        Map.of(
                                "site_disks_volumes",
                                disks,
                                "site_disks_login",
                                site.ssh().user()));
            }
        }
        return byHost.isEmpty() ? Optional.empty() : Optional.of(new Stage(NAME, ROLE, byHost, 0, List.of(), false));
    }

    private static Map<String, Object> disk(Site site, SharedVolume volume) {
        return Map.of(
                "name", volume.name(),
                "mount", volume.path(),
                "label", label(site, volume),
                "mebibytes", volume.size().orElseThrow().mebibytes());
    }

    /** The same for each site of this name, and no other: a kept volume is found by it. */
    private static String label(Site site, SharedVolume volume) {
        return "ds-" + Digests.sha256(site.name() + "/" + volume.name()).substring(0, DIGITS);
    }
}
