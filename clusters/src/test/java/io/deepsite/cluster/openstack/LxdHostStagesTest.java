package io.deepsite.cluster.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import java.util.List;
import org.junit.jupiter.api.Test;

class LxdHostStagesTest {
    @Test
    void thePoolComesAfterLxdOnEveryHost() {
        var stages = TestSites.stages(LxdHostSite.site("{}"), LxdHostSite.machines());

        assertThat(stages).extracting(Stage::name).containsSubsequence("lxd.lxd_host", "lxd.lxd_storage_pool");
        assertThat(stages.getLast().needs()).containsExactly("lxd.lxd_host");
        assertThat(stages.getLast().hosts()).containsExactly("metal", "box");
    }

    @Test
    void hostsWithCardsGiveThemToTheirInstances() {
        var stages = TestSites.stages(LxdHostSite.site("{}"), LxdHostSite.machinesWithCards());

        assertThat(stages.getLast().role()).isEqualTo("lxd_gpus");
        assertThat(stages.getLast().hosts()).containsExactly("metal");
        assertThat(stages.getLast().variables().get("metal")).containsEntry("lxd_gpus_count", 2);
    }

    @Test
    void eachHostProvesItself() {
        assertThat(TestSites.acceptance(LxdHostSite.site("{}"), LxdHostSite.machines()))
                .extracting(Acceptance::host)
                .containsExactly("metal", "box");
    }

    @Test
    void thePoolIsToBeTheOnlyOneUnlessOthersAreKept() {
        assertThat(actions("{}")).containsExactly("pool", "default", "alone");
        assertThat(actions("{leftover: keep}")).containsExactly("pool", "default");
        assertThat(contract("{leftover: keep}", "lxd_storage_pool").items())
                .noneMatch(item -> item.id().equals("probe:lxd-storage"));
    }

    @Test
    void instancesAreMovedWithConsentOnly() {
        assertThat(contract("{moveInstances: true}", "lxd_storage_pool").actions())
                .filteredOn(action -> action.id().equals("moved"))
                .extracting(Action::blast)
                .containsExactly(Action.Impact.REBOOT);
    }

    @Test
    void lxdThatIsThereBringsNoPackagesAndIsTheSnaps() {
        assertThat(contract("{given: true}", "lxd_host").items())
                .noneMatch(item -> item.id().startsWith("package:"));
        assertThat(contract("{given: true}", "lxd_storage_pool")
                        .items()
                        .getFirst()
                        .wake()
                        .restarts())
                .containsExactly("snap.lxd.daemon.service");
    }

    @Test
    void aContainerDoesNotTuneTheKernelOfItsHost() {
        assertThat(contract("{}", "lxd_host", "metal").items())
                .anyMatch(item -> item.id().equals("kernel:sysctl:vm.swappiness"));
        assertThat(contract("{}", "lxd_host", "box").items())
                .noneMatch(item -> item.id().startsWith("kernel:"));
    }

    private static List<String> actions(String keys) {
        return contract(keys, "lxd_storage_pool").actions().stream()
                .map(Action::id)
                .toList();
    }

    private static Contract contract(String keys, String role) {
        return contract(keys, role, "metal");
    }

    private static Contract contract(String keys, String role, String host) {
        return OneRole.of(LxdHostSite.site(keys), LxdHostSite.machines(), role, host)
                .contract();
    }
}
