package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Makes and deletes bridges: one request each, complete when LXD answers. */
final class NetworkCalls {
    private final Networks networks;
    private final Faults faults;
    private final String project;

    NetworkCalls(Networks networks, Faults faults, String project) {
        this.networks = networks;
        this.project = project;
        this.faults = faults;
    }

    /**
     * A plan fixes the subnet, and two sites that are planned at the same time may choose the same one. LXD then makes only
     * one of the two bridges: dnsmasq of the other finds the address in use. The addresses of all machines depend on the
     * subnet, so apply cannot choose another; the step fails and names the other interface. LXD accepts a subnet that only
     * overlaps, so this is checked first.
     */
    void create(Resource desired, Tags tags) {
        var existing = networks.find(desired.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(desired.name(), existing.get().config(), desired.id(), tags);
            if (existing.get().status().equals("Created")) {
                return;
            }
            networks.delete(desired.name());
        }
        refuseRival(desired);
        var config = new LinkedHashMap<>(new Ownership(desired.id(), tags, project).config());
        config.putAll(NetworkAttributes.config(desired));
        try {
            networks.create(desired.name(), config);
        } catch (Refusal refusal) {
            refuseRival(desired);
            throw refusal;
        }
    }

    /** @throws Failure CHANGED_SINCE_PLAN when another interface of the LXD host has a subnet that overlaps with the planned one */
    private void refuseRival(Resource desired) {
        rival(desired).ifPresent(rival -> {
            throw new Failure(Diagnostic.error(
                    Code.CHANGED_SINCE_PLAN,
                    "The subnet " + desired.values().get(NetworkAttributes.SUBNET) + " of the network " + desired.name()
                            + " was free when the plan was made; on "
                            + faults.at().daemon().host() + " at " + faults.at().endpoint()
                            + " it now overlaps with " + rival + ". The network was not made.",
                    "Plan and apply again: deepsite then chooses another subnet and other addresses."));
        });
    }

    /** Another interface of the LXD host whose subnet overlaps with the requested one. */
    private Optional<String> rival(Resource desired) {
        var wanted = Subnet.parse(desired.values().getOrDefault(NetworkAttributes.SUBNET, ""));
        var others = networks.all().stream()
                .filter(network -> !network.name().equals(desired.name()))
                .toList();
        return networks.subnets(others).entrySet().stream()
                .filter(other -> other.getValue().stream()
                        .flatMap(cidr -> Subnet.parse(cidr).stream())
                        .anyMatch(subnet -> wanted.filter(subnet::overlaps).isPresent()))
                .map(other -> other.getKey() + " (" + String.join(", ", other.getValue()) + ")")
                .findFirst();
    }

    void delete(ObservedResource seen) {
        var existing = networks.find(seen.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(seen.name(), existing.get().config(), seen.id(), seen.tags());
            StorageCalls.goneIsFine(() -> networks.delete(seen.name()));
        }
    }

    void release(ObservedResource seen) {
        networks.find(seen.name()).map(Rest.Etagged::value).ifPresent(network -> {
            requireOurs(seen.name(), network.config(), seen.id(), seen.tags());
            networks.set(seen.name(), Ownership.without(network.config()));
        });
    }

    void retag(ObservedResource seen, Map<String, String> config) {
        networks.find(seen.name()).ifPresent(found -> {
            requireOurs(seen.name(), found.value().config(), seen.id(), seen.tags());
            networks.set(seen.name(), config);
        });
    }

    private void requireOurs(String name, Map<String, String> config, ResourceId id, Tags tags) {
        if (!Ownership.isOn(config, id, tags, project)) {
            throw faults.nameTaken(NetworkAttributes.KIND, name);
        }
    }
}
