package io.deepsite.openstack;

import io.deepsite.contract.Digests;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.OpenStackMachines;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which flavor the machines of a group have: the one that the site names, else the smallest that fits, else one made for
 * the group. A machine that exists keeps its flavor while the site asks the same of it: a cloud that offers a better one
 * since is no change.
 */
final class FlavorChoice {
    /** Before the key of an extra spec, as an attribute of a flavor that is made. */
    static final String SPEC = "spec.";

    /** The end of a name as {@link #make} gives it. */
    private static final Pattern WITH_SPECS = Pattern.compile("g-[0-9a-f]{8}$");

    private static final String LIST = "openstack flavor list --long";
    private static final long GIBIBYTE = 1L << 30;

    private static final Comparator<Snapshot.Flavor> SMALLEST_FIRST = Comparator.comparingInt(Snapshot.Flavor::cpus)
            .thenComparingInt(Snapshot.Flavor::memoryMebibytes)
            .thenComparingInt(Snapshot.Flavor::diskGibibytes)
            // The plainest: what the specs of another ask for, nobody asked.
            .thenComparingInt(flavor -> flavor.extraSpecs().size())
            .thenComparing(Snapshot.Flavor::name);

    private final Snapshot snapshot;
    private final ProviderSettings.OpenStack settings;
    private final Site site;
    private final List<Diagnostic> faults;
    private final List<Resource> made = new ArrayList<>();

    FlavorChoice(Snapshot snapshot, ProviderSettings.OpenStack settings, Site site, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.faults = faults;
    }

    /** @param minDiskGibibytes of the image */
    record Wanted(Name group, MachineGroup machine, OpenStackMachines more, int minDiskGibibytes, int minMemory) {
        /** What the site asks, in its own words. */
        String size() {
            return machine.cpus() + " cpus, " + machine.memory()
                    + machine.disk().map(disk -> ", " + disk).orElse("")
                    + more.flavor().map(name -> ", " + name).orElse("")
                    + specs()
                    + (machine.gpus().isEmpty() ? "" : ", " + cards() + " GPUs");
        }

        private String specs() {
            return more.extraSpecs().entrySet().stream()
                    .map(spec -> ", " + spec.getKey() + "=" + spec.getValue())
                    .collect(Collectors.joining());
        }

        int cards() {
            return machine.gpus().stream().mapToInt(request -> request.cards()).sum();
        }

        /** A flavor's disk does not count where the machine starts from a volume. */
        int disk() {
            return more.bootVolume().isPresent()
                    ? 0
                    : Math.max(
                            minDiskGibibytes,
                            machine.disk()
                                    .map(size -> Math.ceilDiv(size.bytes(), GIBIBYTE))
                                    .orElse(0L)
                                    .intValue());
        }
    }

    /** The flavors that have to be made. */
    List<Resource> made() {
        return List.copyOf(made);
    }

    /** Empty, with the fault reported, when there is none. */
    Optional<String> choose(Wanted wanted) {
        if (wanted.more().flavor().isPresent()) {
            return named(wanted, wanted.more().flavor().get());
        }
        var found = snapshot.flavors().stream()
                .filter(flavor -> Ownership.of(flavor.description()).isEmpty())
                .filter(flavor -> fits(flavor, wanted))
                .filter(flavor -> flavor.extraSpecs()
                        .entrySet()
                        .containsAll(wanted.more().extraSpecs().entrySet()))
                .filter(flavor -> Accelerators.of(flavor.extraSpecs())
                        .fit(wanted.machine().gpus()))
                .min(SMALLEST_FIRST)
                .map(Snapshot.Flavor::name);
        if (found.isPresent()) {
            return found;
        }
        boolean bringsCards =
                Accelerators.of(wanted.more().extraSpecs()).fit(wanted.machine().gpus());
        return settings.createFlavors() && bringsCards ? make(wanted) : none(wanted);
    }

    private Optional<String> named(Wanted wanted, String name) {
        var flavor = snapshot.flavor(name);
        if (flavor.isEmpty()) {
            faults.add(new MissingReference(snapshot.cloud())
                    .thing(
                            Code.OPENSTACK_FLAVOR_MISSING,
                            "The machine group " + wanted.group(),
                            "flavor",
                            name,
                            snapshot.flavors().stream()
                                    .map(Snapshot.Flavor::name)
                                    .toList(),
                            "Name one that is there, or leave flavor out: the smallest that fits is found.",
                            LIST));
            return Optional.empty();
        }
        if (!fits(flavor.get(), wanted)
                || Accelerators.of(flavor.get().extraSpecs()).total() < wanted.cards()) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_FLAVOR_TOO_SMALL,
                    "The flavor " + name + " has " + words(flavor.get()) + "; a machine of group " + wanted.group()
                            + " asks for " + asked(wanted) + ".",
                    "Name a larger flavor, or ask for less in machines." + wanted.group() + ".",
                    LIST));
            return Optional.empty();
        }
        return flavor.map(Snapshot.Flavor::name);
    }

    private static boolean fits(Snapshot.Flavor flavor, Wanted wanted) {
        boolean diskFits = wanted.disk() == 0
                || flavor.diskGibibytes() >= wanted.disk()
                // A flavor of disk 0 has what the image has.
                || (flavor.diskGibibytes() == 0 && wanted.machine().disk().isEmpty());
        return flavor.cpus() >= wanted.machine().cpus()
                && flavor.memoryMebibytes()
                        >= Math.max(wanted.machine().memory().mebibytes(), wanted.minMemory())
                && diskFits;
    }

    private Optional<String> make(Wanted wanted) {
        if (!snapshot.admin()) {
            faults.add(Diagnostic.error(
                    Code.OPENSTACK_NOT_ADMIN,
                    "No flavor of " + snapshot.cloud() + " has " + asked(wanted) + " for group " + wanted.group()
                            + ", and the user of this project may not make one.",
                    "Remove createFlavors and ask for what is there, or ask the cloud's administrator for a flavor."
                            + " It has: " + all() + "."));
            return Optional.empty();
        }
        int cpus = wanted.machine().cpus();
        long memory = Math.max(wanted.machine().memory().mebibytes(), wanted.minMemory());
        int disk = wanted.disk();
        // The size is part of the name: a machine whose flavor gets another size gets another flavor.
        var specs = wanted.more().extraSpecs();
        var name = "ds-" + site.name() + "-" + wanted.group() + "-" + cpus + "c-" + memory + "m-" + disk + "g"
                + (specs.isEmpty() ? "" : "-" + Digests.sha256(wanted.specs()).substring(0, 8));
        var attributes = new TreeMap<String, Attribute>();
        attributes.put("cpus", new Attribute(String.valueOf(cpus), Mutability.REPLACE));
        attributes.put("memory", new Attribute(memory + "MiB", Mutability.REPLACE));
        attributes.put("disk", new Attribute(disk + "GiB", Mutability.REPLACE));
        specs.forEach((key, value) -> attributes.put(SPEC + key, new Attribute(value, Mutability.REPLACE)));
        made.add(new Resource(Kinds.flavor(wanted.group()), name, attributes, List.of()));
        return Optional.of(name);
    }

    /** One that was made, and whose extra specs a run that was killed did not come to: they take a call of their own. */
    static boolean lacksSpecs(Snapshot.Flavor made) {
        return made.extraSpecs().isEmpty() && WITH_SPECS.matcher(made.name()).find();
    }

    private Optional<String> none(Wanted wanted) {
        boolean gpus = !wanted.machine().gpus().isEmpty();
        faults.add(Diagnostic.error(
                gpus ? Code.OPENSTACK_NO_GPU_FLAVOR : Code.OPENSTACK_NO_FLAVOR,
                "A machine of group " + wanted.group() + " asks for " + asked(wanted) + ", and no flavor of "
                        + snapshot.cloud() + " has that. "
                        + (gpus ? gpuOffer() : "It has: " + all() + "."),
                gpus
                        ? "Ask for what is there, or name the flavor in provider.openstack.groups." + wanted.group()
                                + ".flavor. GPUs are found by the extra specs " + Accelerators.ALIASES + ", "
                                + Accelerators.VIRTUAL + " and " + Accelerators.LXD + "."
                        : "Ask for less in machines." + wanted.group()
                                + ", or let an administrator run it with createFlavors: true.",
                LIST));
        return Optional.empty();
    }

    private String gpuOffer() {
        var offers = snapshot.flavors().stream()
                .filter(flavor -> Accelerators.of(flavor.extraSpecs()).total() > 0)
                .sorted(SMALLEST_FIRST)
                .map(flavor -> flavor.name() + " (" + words(flavor) + ")")
                .toList();
        return offers.isEmpty()
                ? "It offers no flavor with GPUs at all."
                : "Its flavors with GPUs: " + String.join(", ", offers) + ".";
    }

    private String all() {
        var names = snapshot.flavors().stream()
                .sorted(SMALLEST_FIRST)
                .map(flavor -> flavor.name() + " (" + words(flavor) + ")")
                .toList();
        return names.isEmpty()
                ? "none"
                : String.join(", ", names.subList(0, Math.min(12, names.size())))
                        + (names.size() > 12 ? " and " + (names.size() - 12) + " more" : "");
    }

    private static String words(Snapshot.Flavor flavor) {
        var cards = Accelerators.of(flavor.extraSpecs()).toString();
        return flavor.cpus() + " cpus, " + flavor.memoryMebibytes() + "MiB, " + flavor.diskGibibytes() + "GiB"
                + (cards.isEmpty() ? "" : ", " + cards);
    }

    private static String asked(Wanted wanted) {
        var gpus = wanted.machine().gpus().stream()
                .map(request -> request.cards() + " × "
                        + request.vendor().map(vendor -> vendor + " ").orElse("")
                        + request.model().orElse("GPU"))
                .toList();
        return wanted.machine().cpus() + " cpus, " + wanted.machine().memory()
                + (wanted.disk() > 0 ? ", " + wanted.disk() + "GiB of disk" : "")
                + wanted.specs()
                + (gpus.isEmpty() ? "" : ", " + String.join(", ", gpus));
    }
}
