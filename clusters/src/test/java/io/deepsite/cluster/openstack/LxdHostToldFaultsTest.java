package io.deepsite.cluster.openstack;

import static io.deepsite.diag.FaultMessage.assertReads;

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

/** Faults of a host's LXD. Its answers are simulated; the lane nova-lxd uses a real one. */
class LxdHostToldFaultsTest {
    private static final String ONLY_DIR = """
            [{"name": "default", "driver": "dir", "config": {}, "used_by": ["/1.0/instances/web", "/1.0/images/1", "/1.0/profiles/gpu"]}]""";

    @TempDir
    private Path folder;

    @BeforeEach
    void lxd() throws Exception {
        answers(ONLY_DIR);
    }

    @Test
    void aHostWithoutLxd() throws Exception {
        Files.delete(folder.resolve("lxc"));

        told("lxd/DS3230-no-lxd", "make", "nova", "btrfs", "60GiB", "");
    }

    @Test
    void aPoolOfAnotherDriver() throws Exception {
        told("lxd/DS3231-name-of-a-dir-pool", "make", "default", "btrfs", "60GiB", "");
    }

    @Test
    void aDriverThatLxdDoesNotHave() throws Exception {
        told("lxd/DS3232-no-lvm", "make", "nova", "lvm", "60GiB", "");
    }

    @Test
    void aDeviceThatIsNoDisk() throws Exception {
        told("lxd/DS3233-no-disk", "make", "nova", "btrfs", "60GiB", "/dev/null");
    }

    @Test
    void aPoolThatIsStillUsed() throws Exception {
        told("lxd/DS3235-pool-in-use", "alone", "nova");
    }

    @Test
    void aLoopFileLargerThanWhatIsFree() throws Exception {
        var said = tool().says("make", "nova", "btrfs", "900000TiB", "");

        tool().reads(
                        "lxd/DS3234-large-loop-file",
                        said.replace(folder.toString(), "/var/lib/lxd")
                                .replaceAll("has [0-9]+ GiB free", "has 72 GiB free"));
    }

    /** The text is in a tasks file, where Ansible fills in the variables. */
    @Test
    void aProfileWithoutANetworkCard() throws Exception {
        var task = Files.readString(DeepsiteHome.find().roles().resolve("lxd_host/tasks/mtu.yml"));
        var message = task.substring(task.indexOf("FAULT"), task.indexOf("\"\n  when:"))
                .replace("\\t", "\t")
                .replace("{{ inventory_hostname }}", "metal")
                .replace("{{ action_args.mtu }}", "9000");

        assertReads("lxd/DS3236-no-card", () -> {
            throw FailingTool.failure("lxd_host", "metal", message);
        });
    }

    private void answers(String pools) throws Exception {
        Executable.write(folder.resolve("lxc"), """
                #!/bin/sh
                case "$*" in
                  *storage-pools*) echo '%s' ;;
                  *) echo '{"environment": {"storage_supported_drivers": [{"Name": "dir"}, {"Name": "btrfs"}]}}' ;;
                esac
                """.formatted(pools));
    }

    private void told(String golden, String... arguments) throws Exception {
        tool().fails(golden, arguments);
    }

    private FailingTool tool() {
        var text = new HostScripts(folder, LxdHostSite.site("{}"), LxdHostSite.machines())
                .of("metal")
                .get("deepsite-lxd-pool")
                .replace("/snap/bin/", folder + "/snap/")
                .replace("/usr/bin/lxc", folder + "/lxc");
        return new FailingTool(folder, "lxd_storage_pool", "metal", text, Map.of("LXD_DIR", folder.toString()));
    }
}
