package io.deepsite.cluster.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.Cluster;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OneOf;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.PciAddress;
import io.deepsite.site.SiteNetwork;
import io.deepsite.site.Size;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An OpenNebula cloud: a front-end, and hosts that run its virtual machines with KVM. */
public record OpenNebula(
        @Key(
                value = "The release, two numbers. deepsite does not upgrade a cloud yet.",
                example = "6.10",
                impact = ChangeImpact.REPLACE)
        OpenNebulaRelease version,

        @Key(
                value = "The group (of one machine) that runs oned, the cloud's daemon.",
                example = "front",
                impact = ChangeImpact.REPLACE)
        Name frontend,

        @Key(
                value = "The groups whose machines run virtual machines.",
                example = "[kvm]",
                required = true,
                impact = ChangeImpact.RESTART)
        List<Name> hosts,

        @Key(
                value = "Where OpenNebula comes from; its own package repository by default.",
                impact = ChangeImpact.RESTART)
        Install install,

        @Key(
                value = "Networks of virtual machines, by name.",
                required = true,
                example = "private",
                impact = ChangeImpact.FILE)
        Map<Name, Network> networks,

        @Key(value = "Images of disks, by name.", required = true, example = "debian-12", impact = ChangeImpact.FILE)
        Map<Name, Image> images,

        @Key(
                value = "Datastores beside the two that every cloud has, by name.",
                example = "fast",
                impact = ChangeImpact.FILE)
        Map<Name, Datastore> datastores,

        @Key(value = "Devices of the hosts that virtual machines may be given.", impact = ChangeImpact.RESTART)
        List<Passthrough> passthrough,

        @Key(
                value = "What users make their virtual machines from, by name.",
                example = "gpu",
                impact = ChangeImpact.FILE)
        Map<Name, VmTemplate> vmTemplates,

        @Key("What the virtual machines are made of by which the cloud proves itself.")
        Acceptance acceptance)
        implements Cluster {
    public OpenNebula {
        hosts = List.copyOf(hosts);
        networks = Ordered.copy(networks);
        images = Ordered.copy(images);
        datastores = Ordered.copy(datastores);
        passthrough = List.copyOf(passthrough);
        vmTemplates = Ordered.copy(vmTemplates);
    }

    @Override
    public String kind() {
        return "opennebula";
    }

    @Override
    public boolean runsCommands() {
        return false;
    }

    @Override
    public Set<Name> groups() {
        var groups = new LinkedHashSet<Name>();
        groups.add(frontend);
        groups.addAll(hosts);
        return groups;
    }

    @Override
    public List<Part> parts() {
        return List.of(new Part("frontend", List.of(frontend)), new Part("hosts", hosts));
    }

    @Override
    public List<SiteNetwork> describedNetworks() {
        return networks.entrySet().stream()
                .map(network -> new SiteNetwork(
                        network.getKey().value(),
                        Optional.of(network.getValue().range()),
                        "virtual machines, bridge " + network.getValue().bridge()
                                + network.getValue()
                                        .vlan()
                                        .map(vlan -> ", VLAN " + vlan)
                                        .orElse("")))
                .toList();
    }

    /** The image that acceptance starts from. */
    public Name acceptanceImage() {
        return acceptance.image().orElseGet(() -> images.keySet().iterator().next());
    }

    /** The network of acceptance. */
    public Name acceptanceNetwork() {
        return acceptance.network().orElseGet(() -> networks.keySet().iterator().next());
    }

    public record Install(
            @Key(
                    value = "The apt repository with packages of this release, if not the public one: the folder above"
                            + " dists/.",
                    example = "https://packages.example.org/opennebula/6.10/Debian/12",
                    pattern = "(https?://|file:///)\\S+",
                    impact = ChangeImpact.FILE)
            Optional<String> packages,

            @Key(
                    value = "The key that signs the repository: a file on this machine (a full path), or an https"
                            + " address; OpenNebula's own by default.",
                    example = "/srv/keys/opennebula.asc",
                    excludes =
                            @OtherKeys(
                                    value = "given",
                                    why = "Nothing is installed, so no signature is checked.",
                                    code = Code.NO_EFFECT),
                    pattern = "/\\S+|https://\\S+",
                    impact = ChangeImpact.FILE)
            Optional<String> key,

            @Key(
                    value = "The machines have the packages of this release already.",
                    defaultValue = "false",
                    excludes = @OtherKeys(value = "packages", why = "OpenNebula comes from one place."),
                    impact = ChangeImpact.NOTHING)
            boolean given) {}

    public record Network(
            @Key(
                    value = "The bridge on the hosts that virtual machines are plugged into: at most 15 letters,"
                            + " digits, dots or hyphens.",
                    example = "br0",
                    pattern = "[A-Za-z][A-Za-z0-9._-]{0,14}",
                    impact = ChangeImpact.FILE)
            String bridge,

            @Key(
                    value = "The network card of the hosts that leads out of the bridge. Without it the bridge must be"
                            + " there; with it OpenNebula makes it.",
                    example = "eno2",
                    pattern = "[A-Za-z][A-Za-z0-9._-]{0,14}",
                    impact = ChangeImpact.FILE)
            Optional<String> device,

            @Key(
                    value = "The VLAN on that card (802.1Q).",
                    example = "42",
                    requires = @OtherKeys(value = "device", why = "A VLAN is one of a network card of the hosts."),
                    impact = ChangeImpact.FILE,
                    min = 1,
                    max = 4094)
            Optional<Integer> vlan,

            @Key(value = "The network's addresses.", example = "10.80.0.0/24", impact = ChangeImpact.FILE)
            Cidr range,

            @Key(
                    value = "The first address that virtual machines get.",
                    example = "10.80.0.100",
                    impact = ChangeImpact.FILE)
            IpAddress first,

            @Key(
                    value = "How many of them there are.",
                    example = "100",
                    impact = ChangeImpact.FILE,
                    min = 1,
                    max = 65_534)
            int count,

            @Key(value = "The way out.", example = "10.80.0.1", impact = ChangeImpact.FILE)
            Optional<IpAddress> gateway,

            @Key(value = "Name servers of virtual machines.", example = "[10.80.0.1]", impact = ChangeImpact.FILE)
            List<IpAddress> dns) {
        public Network {
            dns = List.copyOf(dns);
        }
    }

    public record Image(
            @Key(
                    value =
                            "Where it is fetched from, once: an http(s) address, or a full path on the front-end, below a"
                                    + " folder that the datastore default may read (its SAFE_DIRS, such as /var/tmp).",
                    name = "from",
                    example = "https://images.example.org/debian-12.qcow2",
                    pattern = "(/|https?://)[^\\s\"]+",
                    impact = ChangeImpact.FILE)
            String source,

            @Key(
                    value = "Its format.",
                    defaultValue = "qcow2",
                    choices = {"qcow2", "raw"},
                    impact = ChangeImpact.FILE)
            String format) {}

    public record Datastore(
            @Key(
                    value = "What it holds: images, or the disks of running virtual machines (system).",
                    defaultValue = "image",
                    choices = {"image", "system"},
                    impact = ChangeImpact.FILE)
            String holds,

            @Key(
                    value = "OpenNebula's driver that brings disks to the hosts (TM_MAD): ssh, shared, qcow2, local or"
                            + " another that the release has.",
                    defaultValue = "ssh",
                    pattern = "[a-z][a-z0-9_]{0,30}",
                    impact = ChangeImpact.FILE)
            String driver) {}

    /** Devices by address, or by what they are. The four numbers are those of {@code lspci -nn}. */
    @OneOf(
            value = {"addresses", "vendor", "device", "class"},
            several = true,
            why = EVERY_DEVICE,
            fix = "Add addresses, or vendor with device or class.")
    public record Passthrough(
            @Key(
                    value = "The host groups that have them; all by default.",
                    example = "[gpu]",
                    impact = ChangeImpact.RESTART)
            List<Name> groups,

            @Key(value = "The vendor's number.", example = "10de", pattern = HEX, impact = ChangeImpact.RESTART)
            Optional<String> vendor,

            @Key(
                    value = "The device's number; all of the vendor by default.",
                    requires =
                            @OtherKeys(
                                    value = "vendor",
                                    why = VENDOR,
                                    fix = "Add vendor, the first half of what lspci -nn shows in brackets."),
                    example = "1b38",
                    pattern = HEX,
                    impact = ChangeImpact.RESTART)
            Optional<String> device,

            @Key(
                    value = "The number of its class, such as 0300 (VGA) or 0302 (3D controller).",
                    name = "class",
                    example = "0302",
                    pattern = HEX,
                    impact = ChangeImpact.RESTART)
            Optional<String> deviceClass,

            @Key(
                    value = "Exact devices, by address on the host.",
                    example = "[\"0000:3b:00.0\"]",
                    excludes =
                            @OtherKeys(
                                    value = {"vendor", "device", "class"},
                                    why = "OpenNebula takes an address or numbers, not both."),
                    impact = ChangeImpact.RESTART)
            List<PciAddress> addresses) {
        public Passthrough {
            groups = List.copyOf(groups);
            addresses = List.copyOf(addresses);
        }

        /** By what the devices are, not by where. */
        public boolean isByKind() {
            return vendor.isPresent() || device.isPresent() || deviceClass.isPresent();
        }
    }

    public record VmTemplate(
            @Key(
                    value = "Processors.",
                    defaultValue = "1",
                    example = "2",
                    impact = ChangeImpact.FILE,
                    min = 1,
                    max = 1024)
            int cpus,

            @Key(value = "Memory.", defaultValue = "1GiB", example = "4GiB", impact = ChangeImpact.FILE)
            Size memory,

            @Key(value = "The image that its disk is a copy of.", example = "debian-12", impact = ChangeImpact.FILE)
            Name image,

            @Key(value = "Its network; without it there is none.", example = "private", impact = ChangeImpact.FILE)
            Optional<Name> network,

            @Key(
                    value = "The machine that QEMU plays. Devices with PCI Express are happier in a q35.",
                    defaultValue = "pc",
                    choices = {"pc", "q35"},
                    impact = ChangeImpact.FILE)
            String machine,

            @Key(
                    value = "UEFI firmware, a full path on the hosts that vmm_exec_kvm.conf lists (OVMF_UEFIS); BIOS by"
                            + " default.",
                    example = "/usr/share/OVMF/OVMF_CODE.fd",
                    pattern = "/[A-Za-z0-9/._-]+",
                    impact = ChangeImpact.FILE)
            Optional<String> firmware,

            @Key(value = "Devices that it is given, one entry per device.", impact = ChangeImpact.FILE)
            List<PciDevice> pci) {
        public VmTemplate {
            pci = List.copyOf(pci);
        }
    }

    /** By what it is, or by its address; never both. */
    @OneOf(
            value = {"shortAddress", "vendor", "device", "class"},
            several = true,
            why = EVERY_DEVICE,
            fix = "Add shortAddress, or vendor with device or class.")
    public record PciDevice(
            @Key(value = "The vendor's number.", example = "10de", pattern = HEX, impact = ChangeImpact.FILE)
            Optional<String> vendor,

            @Key(
                    value = "The device's number.",
                    example = "1b38",
                    pattern = HEX,
                    requires =
                            @OtherKeys(
                                    value = "vendor",
                                    why = VENDOR,
                                    fix = "Add vendor, the first half of what lspci -nn shows in brackets."),
                    impact = ChangeImpact.FILE)
            Optional<String> device,

            @Key(
                    value = "The number of its class.",
                    name = "class",
                    example = "0302",
                    pattern = HEX,
                    impact = ChangeImpact.FILE)
            Optional<String> deviceClass,

            @Key(
                    value = "Its address on the host without the domain, bus:device.function.",
                    example = "3b:00.0",
                    pattern = "[0-9a-f]{2}:[01][0-9a-f]\\.[0-7]",
                    excludes =
                            @OtherKeys(
                                    value = {"vendor", "device", "class"},
                                    why = "OpenNebula takes an address or numbers, not both."),
                    impact = ChangeImpact.FILE)
            Optional<String> shortAddress) {

        public boolean isByKind() {
            return vendor.isPresent() || device.isPresent() || deviceClass.isPresent();
        }
    }

    public record Acceptance(
            @Key(
                    value = "An image with OpenNebula's context packages and sshd; the first one by default.",
                    example = "debian-12")
            Optional<Name> image,

            @Key(value = "A network that the front-end reaches; the first one by default.", example = "private")
            Optional<Name> network) {}

    static final String VENDOR = "Numbers of devices mean nothing without their vendor: each vendor counts for itself.";
    static final String EVERY_DEVICE =
            "Without any, every device of the host would be meant, its disks and network cards among them.";
    static final String HEX = "[0-9a-f]{4}";
}
