package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks devices of the LXD host that site.yaml names: slices and parts of cards, cards in profiles, InfiniBand. LXD
 * itself gives one device to any number of instances.
 */
final class DeviceUse {
    private final Snapshot snapshot;
    private final DaemonSettings settings;
    private final Site site;
    private final List<Diagnostic> faults;
    private final List<Instance> others;

    DeviceUse(Snapshot snapshot, DaemonSettings settings, Site site, Owned owned, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.faults = faults;
        var ours = owned.machines();
        this.others = snapshot.instances().stream()
                .filter(instance -> !ours.contains(instance))
                .toList();
    }

    /** Addresses of cards that no machine may get whole. */
    Set<String> divided() {
        var divided = new TreeSet<String>();
        for (var name : site.machines().keySet()) {
            var group = settings.of(name);
            group.mig().forEach(slice -> divided.add(slice.pci().value()));
            group.virtualGpu().ifPresent(part -> divided.add(part.pci().value()));
            profileCards(group).forEach((card, _) -> divided.add(Cards.address(card)));
        }
        return divided;
    }

    void check() {
        var byProfile = new ArrayList<Hardware.Card>();
        for (var name : site.machines().keySet()) {
            var group = settings.of(name);
            int count = site.machineNames(name).size();
            group.mig().stream().limit(count).forEach(slice -> slice(name, slice));
            group.virtualGpu().ifPresent(part -> part(name, part, count));
            group.infiniband().ifPresent(infiniband -> infiniband(name, infiniband, count));
            profileCards(group).forEach((card, profile) -> {
                var holder = wholeHolder(card, others);
                if (count > 0 && (count > 1 || byProfile.contains(card) || holder.isPresent())) {
                    taken(
                            "The profile " + profile + " of the machine group " + name + " gives the card "
                                    + Cards.words(card) + ", which "
                                    + holder.map(other -> other + " already uses.")
                                            .orElse("would be in several machines."),
                            "Remove the card from the profile, and request cards with machines." + name + ".gpus.");
                }
                byProfile.add(card);
            });
        }
    }

    private Map<Hardware.Card, String> profileCards(LxdMachines group) {
        var cards = new LinkedHashMap<Hardware.Card, String>();
        snapshot.profiles().stream()
                .filter(profile -> group.profiles().contains(profile.name()))
                .forEach(profile -> snapshot.cards().stream()
                        .filter(card ->
                                profile.devices().values().stream().anyMatch(device -> takesWhole(device, card)))
                        .forEach(card -> cards.put(card, profile.name())));
        return cards;
    }

    private static boolean takesWhole(Map<String, String> device, Hardware.Card card) {
        var type = device.getOrDefault("gputype", "physical");
        return Cards.holds(device, card) && (type.equals("physical") || type.isEmpty());
    }

    private static Optional<String> wholeHolder(Hardware.Card card, List<Instance> among) {
        return among.stream()
                .filter(instance ->
                        instance.expandedDevices().values().stream().anyMatch(device -> takesWhole(device, card)))
                .map(Instance::name)
                .findFirst();
    }

    private void slice(Name name, LxdMachines.MigSlice slice) {
        var asked = "The machine group " + name + " asks for the slice " + ExtraDevices.words(slice) + " of the card "
                + slice.pci();
        var found = card(slice.pci());
        if (found.isEmpty() || found.get().nvidia() == null) {
            missing(asked + ", and " + present("NVIDIA card", nvidia()), "Name one of the host's cards.");
            return;
        }
        var holder = wholeHolder(found.get(), others)
                .or(() -> others.stream()
                        .filter(instance -> instance.expandedDevices().values().stream()
                                .anyMatch(device -> Cards.holds(device, found.get())
                                        && ExtraDevices.slice(device)
                                                .filter(ExtraDevices.words(slice)::equals)
                                                .isPresent()))
                        .map(Instance::name)
                        .findFirst());
        holder.ifPresent(
                other -> taken(asked + ", which " + other + " already uses.", "Name another slice, or free this one."));
    }

    private void part(Name name, LxdMachines.VirtualGpu part, int count) {
        var asked = "The machine group " + name + " asks for " + count + " parts (" + part.type()
                + part.profile().map(profile -> ", " + profile).orElse("") + ") of the card " + part.pci();
        var found = card(part.pci());
        if (found.isEmpty()) {
            missing(asked + ", and " + present("card", snapshot.cards().stream()), "Name one of the host's cards.");
            return;
        }
        var card = found.get();
        wholeHolder(card, others)
                .ifPresent(other ->
                        taken(asked + ", which " + other + " already uses whole.", "Name another, or free this one."));
        long have = card.sriov() == null ? 0 : card.sriov().maximumVfs();
        if (part.type().equals("mdev")) {
            var type = card.mdev().get(part.profile().orElse(""));
            have = type == null ? 0 : type.available();
        }
        if (have < count) {
            missing(
                    asked + ", which can provide " + have + "."
                            + (card.mdev().isEmpty()
                                    ? ""
                                    : " Its types are "
                                            + String.join(", ", card.mdev().keySet()) + "."),
                    "Lower the number of machines, or name another card or type.");
        }
    }

    private void infiniband(Name name, LxdMachines.Infiniband infiniband, int count) {
        boolean whole = infiniband.type().equals("physical");
        infiniband.parents().stream().limit(whole ? count : 1).forEach(parent -> {
            var asked = "The machine group " + name + " asks for the InfiniBand interface " + parent;
            var port = snapshot.ports().stream()
                    .filter(one -> one.id().equals(parent) && one.protocol().equals("infiniband"))
                    .findFirst();
            if (port.isEmpty()) {
                var names = snapshot.ports().stream()
                        .filter(one -> one.protocol().equals("infiniband"))
                        .map(Hardware.Port::id)
                        .toList();
                missing(
                        asked + ", and " + settings.daemon().host() + " has "
                                + (names.isEmpty() ? "none." : String.join(", ", names) + "."),
                        "Name one of the host's interfaces, or remove "
                                + settings.daemon().setting("groups." + name + ".infiniband."));
                return;
            }
            long users = others.stream()
                    .flatMap(instance -> instance.expandedDevices().values().stream())
                    .filter(device -> "infiniband".equals(device.get("type")) && parent.equals(device.get("parent")))
                    .count();
            if (whole ? users > 0 : users + count > port.get().functions()) {
                taken(
                        asked
                                + (whole
                                        ? " whole, but another instance uses it."
                                        : " for " + count + " machines; it has "
                                                + port.get().functions() + " virtual functions, and " + users
                                                + " are in use."),
                        "Name another, or free this one.");
            }
        });
    }

    private Optional<Hardware.Card> card(PciAddress pci) {
        return snapshot.cards().stream().filter(card -> Cards.is(card, pci)).findFirst();
    }

    private Stream<Hardware.Card> nvidia() {
        return snapshot.cards().stream().filter(card -> card.nvidia() != null);
    }

    private String present(String kind, Stream<Hardware.Card> cards) {
        var words = cards.map(Cards::words).sorted().toList();
        return settings.daemon().host() + " has "
                + (words.isEmpty() ? "no " + kind + "." : String.join("; ", words) + ".");
    }

    private void missing(String why, String fix) {
        faults.add(Diagnostic.error(Code.LXD_DEVICE_MISSING, why, fix));
    }

    private void taken(String why, String fix) {
        faults.add(Diagnostic.error(Code.LXD_DEVICE_TAKEN, why, fix));
    }
}
