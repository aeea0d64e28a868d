package io.deepsite.opennebula;

import io.deepsite.contract.Digests;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Tags;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Turns the objects of a snapshot that carry deepsite's tags into resources. */
final class Observation {
    private final Snapshot snapshot;
    private final Tags.Scope scope;
    private final List<ObservedResource> owned = new ArrayList<>();

    Observation(Snapshot snapshot, Tags.Scope scope) {
        this.snapshot = snapshot;
        this.scope = scope;
    }

    /** Keys of the data disks of all sites, by image. */
    static Map<Integer, String> volumes(List<Snapshot.Image> images) {
        var volumes = new HashMap<Integer, String>();
        images.forEach(image -> image.ownership()
                .filter(ours -> ours.id().kind().equals(Kinds.VOLUME))
                .ifPresent(ours -> volumes.put(image.id(), ours.id().key())));
        return volumes;
    }

    List<ObservedResource> owned() {
        var volumes = volumes(snapshot.images());
        for (var network : snapshot.networks()) {
            network.ownership()
                    .ifPresent(ours -> add(
                            ours,
                            network,
                            NetworkDesign.observed(network),
                            network.isMade() ? Condition.READY : Condition.HALF_MADE,
                            users(network.id(), ours)));
        }
        for (var group : snapshot.securityGroups()) {
            group.ownership()
                    .ifPresent(ours -> add(ours, group, Rules.observed(group), Condition.READY, guarded(ours)));
        }
        for (var image : snapshot.images()) {
            image.ownership()
                    .ifPresent(ours -> add(
                            ours,
                            image,
                            ImageChoice.observed(image),
                            image.isMade() ? Condition.READY : Condition.HALF_MADE,
                            keptFor(image)));
        }
        for (var vm : snapshot.vms()) {
            vm.ownership()
                    .ifPresent(ours -> add(
                            ours,
                            vm,
                            VmAttributes.observed(vm, volumes),
                            vm.life().condition(),
                            List.of()));
        }
        return owned.stream()
                .sorted(Comparator.comparing(
                                (ObservedResource seen) -> seen.tags().site())
                        .thenComparing(ObservedResource::id))
                .toList();
    }

    private void add(
            Ownership ownership,
            Snapshot.Thing thing,
            Map<String, String> attributes,
            Condition condition,
            List<String> usedBy) {
        if (!ownership.tags().within(scope)) {
            return;
        }
        SortedMap<String, String> sorted = new TreeMap<>(attributes);
        owned.add(new ObservedResource(
                ownership.id(),
                thing.name(),
                sorted,
                ownership.tags(),
                Digests.sha256(thing.id() + " " + sorted + " " + condition).substring(0, 24),
                condition,
                usedBy,
                Kinds.removal(ownership.id().kind()),
                String.valueOf(thing.id())));
    }

    private static List<String> keptFor(Snapshot.Image image) {
        return ImageChoice.observed(image).containsKey(ImageChoice.KEPT_FOR)
                ? List.of(ObservedResource.KEPT)
                : List.of();
    }

    /** A network's own group exists as long as the network, and also applies to the machines on it. */
    private List<String> guarded(Ownership group) {
        return group.id().equals(Kinds.THE_GUARD)
                ? snapshot.networks().stream()
                        .filter(network -> network.ownership()
                                .filter(ours -> ours.id().equals(Kinds.THE_NETWORK)
                                        && ours.tags().sameState(group.tags()))
                                .isPresent())
                        .flatMap(network -> users(network.id(), group).stream())
                        .toList()
                : List.of();
    }

    /** Machines of others on a network that deepsite made. */
    private List<String> users(int network, Ownership ours) {
        return snapshot.vms().stream()
                .filter(vm -> vm.nics().stream().anyMatch(nic -> nic.networkId() == network)
                        && vm.ownership()
                                .filter(owner -> owner.tags().sameState(ours.tags()))
                                .isEmpty())
                .map(Snapshot.Vm::name)
                .sorted()
                .toList();
    }
}
