package io.deepsite.cluster;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.apply.RoleFault;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The faults of device passthrough after a host's restart, and their messages. */
class PciToldFaultsTest {
    private static final Site SITE = TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: rich
                    provider: {static: {inventory: hosts.yml}}
                    machines: {kvm: {passthrough: [{address: "0000:01:00.0"}, {address: "0000:03:00.0", virtualFunctions: 2}]}}
                    """, Map.of()).orFail();
    private static final Machine KVM = new Machine(
            "kvm",
            new Name("kvm"),
            Optional.empty(),
            "static",
            new Machine.Specs(1, 1024, false, List.of()),
            new Machine.Ssh(Optional.of("10.0.1.1"), 22, "root", Optional.empty()));
    private static final String RULES = "deepsite-pci-passthrough.rules";

    @TempDir
    private Path folder;

    private HostScripts host;
    private Path device;
    private Path network;

    @BeforeEach
    void aHostThatGivesItsCardAway() throws Exception {
        host = new HostScripts(folder, SITE, List.of(KVM), Map.of("kvm", SampleBus.of("DMAR")));
        Files.createDirectories(folder.resolve("sys/class/iommu/dmar0"));
        Files.createDirectories(folder.resolve("proc"));
        Files.writeString(folder.resolve("proc/cmdline"), "root=/dev/vda1 intel_iommu=on iommu=pt quiet\n");
        for (var at : List.of("etc/udev/rules.d/05-" + RULES, "run/initramfs/" + RULES)) {
            Files.createDirectories(folder.resolve(at).getParent());
            Files.writeString(folder.resolve(at), "rules of now\n");
        }
        device = function("0000:01:00.0", "0x10de", "0x1eb8", "0x030200");
        has("vfio-pci");
        network = function("0000:03:00.0", "0x8086", "0x10d3", "0x020000", "11");
        Files.writeString(network.resolve("sriov_numvfs"), "2\n");
        for (int i = 0; i < 2; i++) {
            var part = function("0000:03:10." + i, "0x8086", "0x10ed", "0x020000", "2" + i);
            Files.createSymbolicLink(network.resolve("virtfn" + i), part);
            Files.createSymbolicLink(part.resolve("physfn"), network);
            has(part, "vfio-pci");
        }
        host.program("stat", "echo 'kvm 660'\n");
    }

    @Test
    void allIsGivenAway() throws Exception {
        assertThat(host.run("kvm", "deepsite-pci-passthrough", "check").err()).isEmpty();
        assertThat(host.run("kvm", "deepsite-pci-passthrough", "check").exit()).isZero();
    }

    @Test
    void aDriverOfTheHostHasIt() throws Exception {
        has("nouveau");

        told("passthrough/DS3216-nouveau-has-it");
    }

    @Test
    void anOutdatedInitramfs() throws Exception {
        Files.writeString(folder.resolve("run/initramfs/" + RULES), "rules of before\n");

        told("passthrough/DS3218-rules-of-before");
    }

    @Test
    void aKernelThatWasNotStartedSo() throws Exception {
        Files.writeString(folder.resolve("proc/cmdline"), "root=/dev/vda1 iommu=pt quiet\n");

        told("passthrough/DS3212-word-missing");
    }

    @Test
    void aGroupThatOnlyShowedAfterTheRestart() throws Exception {
        function("0000:01:00.1", "0x8086", "0x100e", "0x020000");

        told("passthrough/DS3215-group-seen-later");
    }

    @Test
    void aCardThatHasNoVirtualFunctionsAnyMore() throws Exception {
        Files.writeString(network.resolve("sriov_numvfs"), "0\n");

        told("passthrough/DS3219-gone");
    }

    @Test
    void aDriverOfTheHostHasAVirtualFunction() throws Exception {
        has(network.resolve("virtfn1").toRealPath(), "igbvf");

        told("passthrough/DS3216-igbvf-has-a-part");
    }

    @Test
    void aLibvirtListWrittenByHand() throws Exception {
        Files.createDirectories(folder.resolve("etc/libvirt"));
        var settings = folder.resolve("etc/libvirt/qemu.conf");
        Files.writeString(settings, "#cgroup_device_acl = []\nuser = \"root\"\n");
        assertThat(host.run("kvm", "deepsite-pci-passthrough", "check").exit()).isZero();
        Files.writeString(
                settings, "cgroup_device_acl = [\n  \"/dev/null\", # \"/dev/vfio/vfio\"\n  \"/dev/kvm\"\n]\n");

        told("passthrough/DS3220-list-without-vfio");

        Files.writeString(settings, "cgroup_device_acl = [\n  \"/dev/null\",\n  \"/dev/vfio/vfio\"\n]\n");
        assertThat(host.run("kvm", "deepsite-pci-passthrough", "check").exit()).isZero();
    }

    /** The text is in a tasks file, where Ansible fills in the variables. */
    @Test
    void aHostThatStaysDown() throws Exception {
        var task = Files.readString(DeepsiteHome.find().roles().resolve("pci_passthrough/tasks/restart.yml"));
        var message = task.substring(task.indexOf("FAULT"), task.indexOf("\"\n  when:"))
                .replace("\\t", "\t")
                .replace("{{ action_args.host }}", "kvm")
                .replace("{{ action_args.patience }}", "1200");

        assertReads("passthrough/DS3217-stays-down", () -> {
            throw failure(message);
        });
    }

    private Path function(String address, String vendor, String number, String deviceClass) throws Exception {
        return function(address, vendor, number, deviceClass, "9");
    }

    private Path function(String address, String vendor, String number, String deviceClass, String inGroup)
            throws Exception {
        var at = Files.createDirectories(folder.resolve("sys/bus/pci/devices").resolve(address));
        Files.writeString(at.resolve("vendor"), vendor + "\n");
        Files.writeString(at.resolve("device"), number + "\n");
        Files.writeString(at.resolve("class"), deviceClass + "\n");
        var group = Files.createDirectories(folder.resolve("sys/kernel/iommu_groups/" + inGroup + "/devices"));
        Files.createSymbolicLink(group.resolve(address), at);
        Files.createSymbolicLink(at.resolve("iommu_group"), group.getParent());
        return at;
    }

    private void has(String driver) throws Exception {
        has(device, driver);
    }

    private void has(Path at, String driver) throws Exception {
        Files.deleteIfExists(at.resolve("driver"));
        Files.createSymbolicLink(
                at.resolve("driver"), Files.createDirectories(folder.resolve("sys/bus/pci/drivers/" + driver)));
    }

    private void told(String name) throws Exception {
        var said = host.run("kvm", "deepsite-pci-passthrough", "check");

        assertThat(said.exit()).isEqualTo(1);
        assertReads(name, () -> {
            throw failure(said.err().replace(folder.toString(), ""));
        });
    }

    private static Failure failure(String message) {
        return new Failure(RoleFault.in(message).stream()
                .map(fault -> fault.diagnostic("pci_passthrough", "kvm", Path.of("runs/1/ansible.log")))
                .toList());
    }
}
