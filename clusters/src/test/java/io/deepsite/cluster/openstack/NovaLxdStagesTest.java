package io.deepsite.cluster.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NovaLxdStagesTest {
    private static final Site SITE = TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: demo
                    provider: {static: {inventory: hosts.yml}}
                    machines: {host: {}}
                    clusters:
                      cloud: {kind: openstack, method: packages, given: true, release: stein, compute: [host]}
                    """, Map.of()).orFail();

    @Test
    void withoutCardsTheDriverIsNovaLxds() {
        assertThat(items(LxdHostSite.machines(), "nova_lxd", "metal")).contains("compute_driver = lxd.LXDDriver");
    }

    /** nova-lxd reports the file system of root_dir as the host's disk, and cannot move an instance to another host. */
    @Test
    void novaReportsThePoolsFileSystemAndRefusesLiveMigrations() {
        assertThat(items(LxdHostSite.machines(), "nova_lxd", "metal"))
                .contains("root_dir = /var/lib/lxd/storage-pools/nova", "allow_live_migration = False");
    }

    @Test
    void onceAHostHasCardsTheDriverOfAllGivesThemToInstancesAndTheServiceFindsIt() {
        for (var host : List.of("metal", "box")) {
            assertThat(items(LxdHostSite.machinesWithCards(), "lxd_gpus", host))
                    .contains(
                            "/usr/local/lib/deepsite/lxd/deepsite_nova_lxd.py restarts nova-compute.service",
                            "/etc/systemd/system/nova-compute.service.d/deepsite-gpus.conf restarts nova-compute.service");
            assertThat(items(LxdHostSite.machinesWithCards(), "nova_lxd", host))
                    .contains("compute_driver = deepsite_nova_lxd.LXDDriver");
        }
    }

    @Test
    void theToolForCardsIsThereBeforeNovasDriver() {
        assertThat(TestSites.stages(SITE, LxdHostSite.machinesWithCards()))
                .extracting(Stage::role)
                .containsSubsequence("lxd_storage_pool", "lxd_gpus", "nova_lxd", "nova_lxd_service");
    }

    private static List<String> items(List<Machine> machines, String role, String host) {
        return OneRole.of(SITE, machines, role, host).contract().items().stream()
                .map(item -> switch (item) {
                    case Item.Ini ini -> ini.option() + " = " + ini.values().getFirst();
                    case Item.File file ->
                        file.path() + " restarts "
                                + String.join(" ", file.wake().restarts());
                    default -> item.id();
                })
                .toList();
    }
}
