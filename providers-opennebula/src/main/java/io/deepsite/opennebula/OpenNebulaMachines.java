package io.deepsite.opennebula;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Size;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What only OpenNebula asks of one machine group. */
public record OpenNebulaMachines(
        @Key(
                value =
                        "Name or id of a VM template that exists; the machines are made from it, with what site.yaml says in"
                                + " the place of its own disks, cards, network and size.",
                example = "gpu-node",
                impact = ChangeImpact.REPLACE)
        Optional<String> template,

        @Key(value = "Name or id of the OpenNebula cluster whose hosts take the machines.", example = "gpu")
        Optional<String> cluster,

        @Key(value = "Names or ids of the hosts that may take the machines; any when left out.", example = "[kvm-3]")
        List<String> hosts,

        @Key(
                value = "Addresses of the machines, in their order; the plan chooses free ones when left out.",
                example = "[10.65.0.10]",
                impact = ChangeImpact.REPLACE)
        List<IpAddress> addresses,

        @Key(value = "Data disks of each machine, by name; they are attached empty.", impact = ChangeImpact.REPLACE)
        Map<Name, DataDisk> volumes,

        @Key(
                value = "Security groups that exist, besides those made for the site.",
                example = "[monitoring]",
                impact = ChangeImpact.REPLACE)
        List<String> securityGroups,

        @Key(
                value = "The PCI device to request for each of the group's gpus: vendor, device and class in hex, as"
                        + " OpenNebula lists them. Needed where this user may not see the hosts.",
                example = "10de:20b5:0302",
                pattern = "[0-9a-f]{4}(:[0-9a-f]{4}(:[0-9a-f]{4})?)?",
                impact = ChangeImpact.REPLACE)
        Optional<String> pciDevice,

        @Key(
                value = "Chipset of the machines; GPUs with large memory want q35. OpenNebula's own when left out.",
                choices = {"pc", "q35"},
                example = "q35",
                impact = ChangeImpact.REPLACE)
        Optional<String> chipset,

        @Key(
                value = "UEFI firmware, as the hosts list it (OVMF_UEFIS in vmm_exec_kvm.conf); BIOS when left out.",
                example = "/usr/share/OVMF/OVMF_CODE.fd",
                pattern = "/[A-Za-z0-9/._-]+",
                impact = ChangeImpact.REPLACE)
        Optional<String> firmware,

        @Key(
                value = "Start only what is signed.",
                defaultValue = "false",
                requires = {
                    @OtherKeys(
                            value = "firmware",
                            why = "Only UEFI firmware can refuse what is not signed.",
                            fix = "Add \"firmware: /usr/share/OVMF/OVMF_CODE.secboot.fd\", as the hosts have it."),
                    @OtherKeys(
                            value = "chipset=q35",
                            why = "UEFI firmware refuses what is not signed on the chipset q35 only.")
                },
                impact = ChangeImpact.REPLACE)
        boolean secureBoot) {

    public static final OpenNebulaMachines NONE = new OpenNebulaMachines(
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            Map.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);

    public OpenNebulaMachines {
        hosts = List.copyOf(hosts);
        addresses = List.copyOf(addresses);
        volumes = Ordered.copy(volumes);
        securityGroups = List.copyOf(securityGroups);
    }

    public record DataDisk(
            @Key(value = "Size of the disk; it can grow.", example = "100GiB")
            Size size) {}
}
