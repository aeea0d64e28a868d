package io.deepsite.cluster.openstack;

import io.deepsite.cluster.FailingTool;
import io.deepsite.cluster.HostScripts;
import io.deepsite.remote.Executable;
import io.deepsite.render.DeepsiteHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of a host's GPUs. The answers of LXD are simulated; the lane gpu uses a real one. */
class LxdGpusToldFaultsTest {
    private static final String CARDS = """
            {"gpu": {"cards": [
              {"pci_address": "0000:17:00.0", "vendor_id": "10de", "product_id": "1028", "driver": "nvidia", "nvidia": {"model": "Tesla K20m"}},
              {"pci_address": "0000:65:00.0", "vendor_id": "10de", "product_id": "2330", "driver": "nvidia", "nvidia": {"model": "NVIDIA H100"}},
              {"pci_address": "0000:b3:00.0", "vendor_id": "10de", "product_id": "2330", "driver": "vfio-pci"},
              {"pci_address": "0000:03:00.0", "vendor_id": "1a03", "product_id": "2000", "driver": "ast"}]}}""";
    private static final String INSTANCES = """
            [{"name": "web", "devices": {"gpu0": {"type": "gpu"}},
              "expanded_devices": {"gpu0": {"type": "gpu", "pci": "0000:17:00.0"}}},
             {"name": "train", "devices": {}, "expanded_devices": {}}%s]""";

    @TempDir
    private Path folder;

    @BeforeEach
    void lxd() throws Exception {
        answers("");
    }

    @Test
    void aHostHasOtherCardsThanTheFileSays() throws Exception {
        told("openstack/DS3244-four-wanted", "check", "4");
    }

    @Test
    void moreCardsAreWantedThanAreFree() throws Exception {
        told("openstack/DS3245-two-wanted", "give", "train", "2");
        told("openstack/DS3245-none-of-that-model", "give", "train", "1", "k20m");
    }

    @Test
    void twoInstancesShareACard() throws Exception {
        answers("""
                , {"name": "by-hand", "expanded_devices": {"any": {"type": "gpu"}}}""");

        told("openstack/DS3246-shared-by-hand", "check", "2");
    }

    @Test
    void anInstanceThatIsNotThereOrHasCards() throws Exception {
        told("openstack/DS3247-no-instance", "give", "nobody", "1");
        told("openstack/DS3247-has-cards", "give", "web", "1");
    }

    private void answers(String more) throws Exception {
        Executable.write(folder.resolve("lxc"), """
                #!/bin/sh
                case "$4" in
                  /1.0/resources) echo '%s' ;;
                  /1.0/projects*) echo '[{"name": "default"}]' ;;
                  /1.0/instances\\?*) echo '%s' ;;
                  /1.0/instances/web) echo '{"devices": {"gpu0": {"type": "gpu"}}, "config": {}}' ;;
                  /1.0/instances/*) echo '{"devices": {}, "config": {}}' ;;
                  /1.0) echo '{"api_extensions": ["resources_v2", "instances", "projects"]}' ;;
                  *) exit 1 ;;
                esac
                """.formatted(CARDS, INSTANCES.formatted(more)));
    }

    private void told(String golden, String... arguments) throws Exception {
        var text = new HostScripts(folder, LxdHostSite.site("{}"), LxdHostSite.machinesWithCards())
                .of("metal")
                .get("deepsite-lxd-gpus")
                .replace("/snap/bin/", folder + "/snap/")
                .replace("/usr/bin/lxc", folder + "/lxc")
                .replace("/run/", folder + "/");
        var library =
                DeepsiteHome.find().templates().resolve("lxd_gpus/usr/local/lib/deepsite/lxd/deepsite_lxd_gpus.py.j2");
        Files.writeString(folder.resolve("deepsite_lxd_gpus.py"), Files.readString(library));
        new FailingTool(folder, "lxd_gpus", "metal", text, Map.of("DEEPSITE_LXD_LIB", folder.toString()))
                .fails(golden, arguments);
    }
}
