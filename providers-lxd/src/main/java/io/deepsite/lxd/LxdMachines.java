package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.PciAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What only LXD and Incus ask of one machine group. */
public record LxdMachines(
        @Key(
                value =
                        "Profiles that exist, in the order in which they are laid over each other. What deepsite sets itself"
                                + " comes last.",
                example = "[hugepages]",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                impact = ChangeImpact.REBOOT)
        List<String> profiles,

        @Key(
                value = "Make virtual machines, where the host can; without it they are containers.",
                defaultValue = "false",
                impact = ChangeImpact.REPLACE)
        boolean virtualMachines,

        @Key(
                value =
                        "The member of the host's cluster, or with @ the group of members, that the machines are made on.",
                example = "rack1-node2",
                pattern = "@?[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                impact = ChangeImpact.REPLACE)
        Optional<String> target,

        @Key(
                value = "Let NVIDIA's container tools put the driver's own files and libraries into each container.",
                defaultValue = "false",
                excludes =
                        @OtherKeys(
                                value = "virtualMachines",
                                why = "NVIDIA's runtime is for containers; a virtual machine has a driver of its own."),
                impact = ChangeImpact.REBOOT)
        boolean nvidiaRuntime,

        @Key(
                value = "What of NVIDIA's driver the containers get; compute and utility when left out.",
                example = "[compute, utility, video]",
                choices = {"all", "compute", "compat32", "display", "graphics", "utility", "video"},
                requires =
                        @OtherKeys(
                                value = "nvidiaRuntime",
                                why = "NVIDIA's runtime gives them to the containers.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.REBOOT)
        List<String> nvidiaCapabilities,

        @Key(
                value = "Slices of NVIDIA cards (MIG) that exist, one for each machine in their order.",
                excludes =
                        @OtherKeys(
                                value = "virtualMachines",
                                why = "Slices of a card go to containers only.",
                                fix = "Remove virtualMachines, or ask for a virtualGpu."),
                requires =
                        @OtherKeys(
                                value = "nvidiaRuntime",
                                when = "virtualMachines=false",
                                why = "A slice of a card comes into a container by NVIDIA's runtime only."),
                impact = ChangeImpact.REBOOT)
        List<MigSlice> mig,

        @Key(
                value = "A part of a card for each virtual machine.",
                requires =
                        @OtherKeys(
                                value = "virtualMachines",
                                why = "Parts of a card go to virtual machines only.",
                                fix = "Add \"virtualMachines: true\", ask for whole cards (gpus), or for slices (mig).",
                                code = Code.NOT_TOGETHER),
                impact = ChangeImpact.REBOOT)
        Optional<VirtualGpu> virtualGpu,

        @Key(value = "An InfiniBand interface for each machine.", impact = ChangeImpact.REBOOT)
        Optional<Infiniband> infiniband,

        @Key(value = "Character devices of the host, by a name of your choice.", impact = ChangeImpact.REBOOT)
        Map<Name, CharacterDevice> devices,

        @Key(value = "Folders of the host, by a name of your choice.", impact = ChangeImpact.REBOOT)
        Map<Name, HostFolder> folders) {

    public static final LxdMachines NONE = new LxdMachines(
            List.of(),
            false,
            Optional.empty(),
            false,
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Map.of());

    public LxdMachines {
        profiles = List.copyOf(profiles);
        nvidiaCapabilities = List.copyOf(nvidiaCapabilities);
        mig = List.copyOf(mig);
        devices = Ordered.copy(devices);
        folders = Ordered.copy(folders);
    }

    /** A slice is known by its UUID, or by the numbers of its GPU instance and compute instance. */
    public record MigSlice(
            @Key(
                    value = "The card.",
                    example = "0000:65:00.0",
                    requires =
                            @OtherKeys(
                                    value = {"uuid", "gi", "ci"},
                                    why = NAMED,
                                    fix = NAME_IT,
                                    commands = SLICES),
                    impact = ChangeImpact.REBOOT)
            PciAddress pci,

            @Key(
                    value = "UUID of the slice (nvidia-smi -L), with or without MIG- before it.",
                    example = "MIG-3c1a47f1-9a4e-5b7c-8d2e-0f6a1b2c3d4e",
                    pattern = "(MIG-)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
                    excludes =
                            @OtherKeys(
                                    value = {"gi", "ci"},
                                    why = NAMED,
                                    fix = "Keep the uuid, or both gi and ci."),
                    impact = ChangeImpact.REBOOT)
            Optional<String> uuid,

            @Key(
                    value = "GPU instance.",
                    example = "1",
                    requires = @OtherKeys(value = "ci", why = NAMED, fix = NAME_IT, commands = SLICES),
                    impact = ChangeImpact.REBOOT,
                    min = 0,
                    max = 255)
            Optional<Integer> gi,

            @Key(
                    value = "Compute instance.",
                    example = "0",
                    requires = @OtherKeys(value = "gi", why = NAMED, fix = NAME_IT, commands = SLICES),
                    impact = ChangeImpact.REBOOT,
                    min = 0,
                    max = 255)
            Optional<Integer> ci) {
        static final String NAMED = "A slice is named by its UUID, or by gi and ci.";
        static final String NAME_IT = "Add its uuid, or both gi and ci. On the host this lists them:";
        static final String SLICES = "nvidia-smi -L";
    }

    public record VirtualGpu(
            @Key(
                    value = "How the card is divided: mdev (NVIDIA vGPU, Intel GVT-g) or sriov.",
                    example = "mdev",
                    choices = {"mdev", "sriov"},
                    requires =
                            @OtherKeys(
                                    value = "profile",
                                    when = "type=mdev",
                                    why = "Each machine gets an mdev of that profile.",
                                    fix =
                                            "Add \"profile:\" with one that /1.0/resources lists for the card (incus query, with Incus):",
                                    commands = "lxc query /1.0/resources"),
                    impact = ChangeImpact.REBOOT)
            String type,

            @Key(value = "The card.", example = "0000:65:00.0", impact = ChangeImpact.REBOOT)
            PciAddress pci,

            @Key(
                    value = "The mdev type, as /1.0/resources lists it.",
                    example = "nvidia-63",
                    pattern = "[A-Za-z0-9][A-Za-z0-9_-]{0,63}",
                    excludes =
                            @OtherKeys(
                                    value = "type=sriov",
                                    why = "A virtual function has no type of mdev.",
                                    fix = "Remove the key.",
                                    code = Code.NO_EFFECT),
                    impact = ChangeImpact.REBOOT)
            Optional<String> profile) {}

    public record Infiniband(
            @Key(
                    value = "With physical each machine has a whole interface, with sriov a virtual function of one.",
                    example = "sriov",
                    choices = {"physical", "sriov"},
                    impact = ChangeImpact.REBOOT)
            String type,

            @Key(
                    value = "Interfaces of the host: with physical one for each machine, with sriov one.",
                    example = "[ibp65s0]",
                    pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                    required = true,
                    impact = ChangeImpact.REBOOT)
            List<String> parents) {

        public Infiniband {
            parents = List.copyOf(parents);
        }
    }

    public record CharacterDevice(
            @Key(
                    value = "The device on the host, below /dev.",
                    example = "/dev/fuse",
                    pattern = "/[A-Za-z0-9._/-]{1,200}",
                    impact = ChangeImpact.REBOOT)
            String source,

            @Key(
                    value = "Its path in the machine; by default the one on the host.",
                    example = "/dev/fuse",
                    pattern = "/dev/[A-Za-z0-9._/-]{1,200}",
                    impact = ChangeImpact.REBOOT)
            Optional<String> path,

            @Key(
                    value = "Its rights in the machine, in octal digits.",
                    defaultValue = "0660",
                    pattern = "0[0-7]{3}",
                    impact = ChangeImpact.REBOOT)
            String mode) {}

    public record HostFolder(
            @Key(
                    value = "The folder on the host.",
                    example = "/srv/data",
                    pattern = "/[A-Za-z0-9._/+-]{0,200}",
                    impact = ChangeImpact.REBOOT)
            String source,

            @Key(
                    value = "Where it is mounted in the machine.",
                    example = "/data",
                    pattern = "/[A-Za-z0-9._/+-]{0,200}",
                    impact = ChangeImpact.REBOOT)
            String path,

            @Key(
                    value =
                            "Let the machine write. Without a shift, its root is an unprivileged user there and writes only where everybody may.",
                    defaultValue = "false",
                    impact = ChangeImpact.REBOOT)
            boolean write,

            @Key(
                    value = "Show the files with their owners of the host, where the kernel can shift them.",
                    defaultValue = "false",
                    impact = ChangeImpact.REBOOT)
            boolean shift) {}
}
