package io.deepsite.lxd;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.lxd.LxdMachines.CharacterDevice;
import io.deepsite.lxd.LxdMachines.HostFolder;
import io.deepsite.lxd.LxdMachines.Infiniband;
import io.deepsite.lxd.LxdMachines.MigSlice;
import io.deepsite.lxd.LxdMachines.VirtualGpu;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Keys of a group that only LXD has: as attributes, as devices of an instance, and messages if the host lacks them. */
class GroupDesignTest {
    private static final PciAddress H100 = PciAddress.parse("0000:65:00.0");
    private static final String UUID = "3c1a47f1-9a4e-5b7c-8d2e-0f6a1b2c3d4e";

    @Test
    void everythingOfAGroupIsAnAttributeAndADevice() {
        var group = Groups.of(asked -> {
            asked.profiles = List.of("default");
            asked.runtime = true;
            asked.capabilities = List.of("compute", "video");
            asked.mig = List.of(
                    slice(1), new MigSlice(H100, Optional.of("MIG-" + UUID), Optional.empty(), Optional.empty()));
            asked.infiniband = Optional.of(new Infiniband("physical", List.of("ib7", "ib8")));
            asked.devices = Map.of(new Name("fuse"), new CharacterDevice("/dev/fuse", Optional.empty(), "0666"));
            asked.folders = Map.of(
                    new Name("data"),
                    new HostFolder("/srv/data", "/data", false, false),
                    new Name("scratch"),
                    new HostFolder("/srv/scratch", "/scratch", true, true));
        });
        var snapshot = Recorded.host(tree -> {
            free(tree);
            ports(tree, 0);
        });

        var design = Recorded.compile(snapshot, site(2, group), Requirements.NONE);

        var machine = design.resources().stream()
                .filter(resource -> resource.id().key().equals("m-2"))
                .findFirst()
                .orElseThrow();
        assertThat(machine.values())
                .containsEntry("profiles", "default")
                .containsEntry("nvidia-runtime", "true")
                .containsEntry("nvidia-capabilities", "compute,video")
                .containsEntry("mig0", "0000:65:00.0 uuid=" + UUID)
                .containsEntry("ib0", "physical ib8")
                .containsEntry("device.fuse", "/dev/fuse /dev/fuse 0666")
                .containsEntry("folder.data", "/srv/data /data ro")
                .containsEntry("folder.scratch", "/srv/scratch /scratch rw shift");
        var devices = MachineAttributes.devices(machine);
        assertThat(devices)
                .containsEntry("mig0", Map.of("type", "gpu", "gputype", "mig", "pci", "0000:65:00.0", "mig.uuid", UUID))
                .containsEntry(
                        "ib0", Map.of("type", "infiniband", "name", "ib0", "nictype", "physical", "parent", "ib8"))
                .containsEntry(
                        "dev-fuse",
                        Map.of("type", "unix-char", "source", "/dev/fuse", "path", "/dev/fuse", "mode", "0666"))
                .containsEntry(
                        "dir-data", Map.of("type", "disk", "source", "/srv/data", "path", "/data", "readonly", "true"))
                .containsEntry(
                        "dir-scratch",
                        Map.of("type", "disk", "source", "/srv/scratch", "path", "/scratch", "shift", "true"));
        assertThat(MachineAttributes.config(machine))
                .containsEntry("nvidia.runtime", "true")
                .containsEntry("nvidia.driver.capabilities", "compute,video");
        var instance = new Instance(
                "lab-m-2",
                "default",
                "Running",
                "container",
                MachineAttributes.profiles(machine),
                MachineAttributes.config(machine),
                devices,
                devices);
        var observed = MachineAttributes.observed(instance);
        machine.values().forEach((key, value) -> {
            if (!key.equals(MachineAttributes.FINGERPRINT)) {
                assertThat(observed).containsEntry(key, value);
            }
        });
        assertThat(Recorded.machine(design, "m-1")).containsEntry("mig0", "0000:65:00.0 gi=1 ci=0");
    }

    @Test
    void cardInSlicesIsNotAssignedWhole() {
        var sliced = Groups.of(group -> {
            group.runtime = true;
            group.mig = List.of(slice(1));
        });
        var snapshot = Recorded.host(GroupDesignTest::free);
        var greedy =
                new GpuRequest(Optional.of(new Name("nvidia")), Optional.of("h100"), 2, List.of(), Optional.empty());
        var site = Sites.site(
                "lab",
                settings().group("m", sliced).lxd(),
                Map.of(
                        "m",
                        Sites.single("debian/12", 1, "256MiB"),
                        "whole",
                        Sites.single("debian/12", 1, "256MiB", greedy)));

        assertReads("devices/DS2112-card-in-slices", () -> Recorded.compile(snapshot, site, Requirements.NONE));
    }

    @Test
    void reportsWhatTheHostLacks() {
        reads(
                "machines/DS2119-no-such-profile",
                tree -> {},
                1,
                group -> group.profiles = List.of("default", "hugepages"));
        reads("devices/DS2122-no-nvidia-tools", tree -> {}, 1, group -> group.runtime = true);
        reads("devices/DS2122-no-such-card", tree -> {}, 1, group -> group.mig = List.of(slice(1)));
        reads(
                "devices/DS2122-no-infiniband",
                tree -> {},
                1,
                group -> group.infiniband = Optional.of(new Infiniband("physical", List.of("ib7"))));
        reads(
                "devices/DS2122-no-such-device",
                tree -> tree.putObject("paths")
                        .putObject("/dev/xpmem")
                        .put("forbidden", false)
                        .put("why", "It does not exist."),
                1,
                group -> group.devices =
                        Map.of(new Name("xpmem"), new CharacterDevice("/dev/xpmem", Optional.empty(), "0660")));
        reads(
                "machines/DS1260-link-to-secrets",
                tree -> tree.putObject("paths")
                        .putObject("/srv/data")
                        .put("forbidden", true)
                        .put(
                                "why",
                                "It leads to /etc. /etc is part of the host's own system, where its secrets and daemons are."),
                1,
                group -> group.folders = Map.of(new Name("data"), new HostFolder("/srv/data", "/data", false, false)));
        reads(
                "devices/DS2122-cannot-shift",
                tree -> ((ObjectNode) tree.path("server").path("environment").path("kernel_features"))
                        .put("idmapped_mounts", "false"),
                1,
                group -> group.folders = Map.of(new Name("data"), new HostFolder("/srv/data", "/data", false, true)));
    }

    @Test
    void reportsWhichInstanceUsesIt() {
        reads(
                "devices/DS2123-slice-taken",
                tree -> {
                    free(tree);
                    other(
                            tree,
                            Map.of(
                                    "type",
                                    "gpu",
                                    "gputype",
                                    "mig",
                                    "pci",
                                    "0000:65:00.0",
                                    "mig.gi",
                                    "1",
                                    "mig.ci",
                                    "0"));
                },
                1,
                group -> {
                    group.runtime = true;
                    group.mig = List.of(slice(1));
                });
        reads(
                "devices/DS2123-card-taken-whole",
                tree -> {
                    free(tree);
                    other(tree, Map.of("type", "gpu", "pci", "0000:65:00.0"));
                },
                1,
                group -> {
                    group.runtime = true;
                    group.mig = List.of(slice(1));
                });
        reads(
                "devices/DS2123-card-in-a-profile",
                tree -> {
                    free(tree);
                    var profile = tree.withArray("profiles").addObject().put("name", "cards");
                    profile.putObject("devices")
                            .putObject("gpu")
                            .put("type", "gpu")
                            .put("pci", "0000:17:00.0");
                },
                2,
                group -> group.profiles = List.of("cards"));
        reads(
                "devices/DS2123-infiniband-taken",
                tree -> {
                    ports(tree, 0);
                    other(tree, Map.of("type", "infiniband", "nictype", "physical", "parent", "ib7"));
                },
                1,
                group -> group.infiniband = Optional.of(new Infiniband("physical", List.of("ib7"))));
        reads(
                "devices/DS2123-too-few-virtual-functions",
                tree -> ports(tree, 2),
                3,
                group -> group.infiniband = Optional.of(new Infiniband("sriov", List.of("ib7"))));
    }

    @Test
    void otherSlicesOfACardAreFree() {
        var snapshot = Recorded.host(tree -> {
            free(tree);
            other(tree, Map.of("type", "gpu", "gputype", "mig", "pci", "0000:65:00.0", "mig.gi", "2", "mig.ci", "0"));
        });
        var group = Groups.of(asked -> {
            asked.runtime = true;
            asked.mig = List.of(slice(1));
        });

        assertThat(Recorded.machine(Recorded.compile(snapshot, site(1, group), Requirements.NONE), "m-1"))
                .containsKey("mig0");
    }

    @Test
    void virtualMachinesAreRefusedWithLxdsReason() {
        reads(
                "machines/DS2121-no-vsock",
                tree -> tree.withArray("warnings")
                        .addObject()
                        .put("type", "Instance type not operational")
                        .put("last_message", "vhost_vsock kernel module not loaded"),
                1,
                group -> group.virtual = true);
    }

    /** Rendered only: no host of the tests runs virtual machines. */
    @Test
    void virtualMachinesAreMadeIfLxdSupportsThem() {
        var group = Groups.of(asked -> {
            asked.virtual = true;
            asked.virtualGpu = Optional.of(new VirtualGpu("mdev", H100, Optional.of("nvidia-63")));
        });
        Recorded.Change qemu = tree -> {
            free(tree);
            ((ObjectNode) tree.path("server").path("environment")).put("driver", "lxc | qemu");
            tree.path("images").forEach(image -> ((ObjectNode) image).put("type", "virtual-machine"));
            mdev(tree, 2);
        };

        var design = Recorded.compile(Recorded.host(qemu), site(2, group), Requirements.NONE);

        assertThat(Recorded.machine(design, "m-1"))
                .containsEntry("type", "virtual-machine")
                .containsEntry("vgpu0", "mdev 0000:65:00.0 nvidia-63");
        assertThat(design.machines()).noneMatch(machine -> machine.container());
        assertReads(
                "devices/DS2122-too-few-parts",
                () -> Recorded.compile(
                        Recorded.host(tree -> {
                            qemu.to(tree);
                            mdev(tree, 1);
                        }),
                        site(2, group),
                        Requirements.NONE));
        assertReads(
                "machines/DS2110-image-of-the-other-kind",
                () -> Recorded.compile(
                        Recorded.host(tree -> {
                            qemu.to(tree);
                            tree.path("images").forEach(image -> ((ObjectNode) image).put("type", "container"));
                        }),
                        site(1, group),
                        Requirements.NONE));
    }

    private static void reads(String name, Recorded.Change host, int machines, Groups.Change change) {
        assertReads(
                name,
                () -> Recorded.compile(Recorded.host(host), site(machines, Groups.of(change)), Requirements.NONE));
    }

    private static SampleSettings settings() {
        return new SampleSettings(Recorded.settings());
    }

    private static Site site(int machines, LxdMachines group) {
        return Sites.site(
                "lab", settings().group("m", group).lxd(), Map.of("m", Sites.many("debian/12", machines, 1, "256MiB")));
    }

    private static MigSlice slice(int number) {
        return new MigSlice(H100, Optional.empty(), Optional.of(number), Optional.of(0));
    }

    /** With cards that are all free. */
    private static void free(ObjectNode tree) {
        Recorded.addCards(tree);
    }

    private static void mdev(ObjectNode tree, int available) {
        tree.path("cards")
                .forEach(card -> ((ObjectNode) card)
                        .putObject("mdev")
                        .putObject("nvidia-63")
                        .put("available", available));
    }

    private static void ports(ObjectNode tree, int functions) {
        for (var name : List.of("ib7", "ib8")) {
            tree.withArray("ports")
                    .addObject()
                    .put("id", name)
                    .put("protocol", "infiniband")
                    .put("functions", functions);
        }
    }

    private static void other(ObjectNode tree, Map<String, String> device) {
        var devices = tree.withArray("instances")
                .addObject()
                .put("name", "somebody")
                .put("project", "lab")
                .putObject("expanded_devices");
        device.forEach(devices.putObject("it")::put);
    }
}
