package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A number of equal machines. With the static provider the inventory says how many and what they are.
 *
 * @param beyond numbers above {@code count} of the machines that an elastic group has at the moment
 */
public record MachineGroup(
        @Key(
                value = "Guest image. Needed by every provider that makes machines.",
                example = "debian/12",
                impact = ChangeImpact.REPLACE,
                confined = true)
        Optional<ImageName> image,

        @Key(
                value = "How many machines. Without it there is one, named as the group; with it they are <group>-1 …",
                example = "4",
                min = 0,
                max = 10_000)
        Optional<Integer> count,

        @Key(
                value = "Processors of each machine.",
                defaultValue = "1",
                example = "2",
                impact = ChangeImpact.FILE,
                min = 1,
                max = 4096)
        int cpus,

        @Key(
                value = "Memory of each machine.",
                defaultValue = "1GiB",
                example = "2GiB",
                impact = ChangeImpact.FILE,
                confined = true)
        Size memory,

        @Key(
                value = "Size of the root disk. Without it the provider's pool decides.",
                example = "20GiB",
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<Size> disk,

        @Key(value = "GPUs each machine must have.", impact = ChangeImpact.REBOOT)
        List<GpuRequest> gpus,

        @Key(
                value =
                        "The driver for these GPUs, of hosts with a kernel of their own. A driver that runs already changes"
                                + " with a restart of the host, which is yours to do.",
                impact = ChangeImpact.FILE)
        Optional<NvidiaDriver> driver,

        @Key(
                value =
                        "PCI devices that each host gives to virtual machines and does not use itself. Only for hosts that"
                                + " exist already.",
                impact = ChangeImpact.REBOOT)
        List<PassedDevice> passthrough,

        @Key(
                value =
                        "The release of OpenStack whose nova-compute runs on these hosts, set up by somebody else: deepsite"
                                + " then writes what Nova has to know of the devices, beside nova.conf.",
                example = "zed",
                choices = {
                    "train",
                    "ussuri",
                    "victoria",
                    "wallaby",
                    "xena",
                    "yoga",
                    "zed",
                    "2023.1",
                    "2023.2",
                    "2024.1",
                    "2024.2",
                    "2025.1"
                },
                requires =
                        @OtherKeys(
                                value = "passthrough",
                                why = "It gives Nova the list of these devices.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.FILE)
        Optional<String> nova,

        @NoKey SortedSet<Integer> beyond) {

    public MachineGroup {
        gpus = List.copyOf(gpus);
        passthrough = List.copyOf(passthrough);
        beyond = Collections.unmodifiableSortedSet(new TreeSet<>(beyond));
    }

    /** The same, with machines of these numbers besides those that {@code count} says. */
    public MachineGroup withBeyond(Collection<Integer> numbers) {
        return new MachineGroup(
                image, count, cpus, memory, disk, gpus, driver, passthrough, nova, new TreeSet<>(numbers));
    }
}
