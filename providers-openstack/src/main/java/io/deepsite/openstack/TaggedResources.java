package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.openstack.Snapshot.Tagged;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds things by our tags, and deletes them. */
final class TaggedResources {
    /** Attempts to delete what is in use: ports of DHCP servers and of deleted servers soon disappear by themselves. */
    private static final int TRIES = 8;

    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** Neutron deletes ports of these owners itself, together with their network or router. */
    private static final Set<String> PASSING =
            Set.of("network:dhcp", "network:distributed", "network:floatingip_agent_gateway");

    private final Cloud cloud;
    private final String words;
    private final Pause pause;

    /** @param words how messages name the cloud */
    TaggedResources(Cloud cloud, String words, Pause pause) {
        this.cloud = cloud;
        this.words = words;
        this.pause = pause;
    }

    /**
     * The thing that has these tags.
     *
     * @param name that it has, where its service lists things by name
     * @throws Failure NAME_TAKEN when it belongs to another state
     */
    <T extends Tagged> Optional<T> find(Family<T> family, ResourceId id, String name, Tags tags) {
        return find(family, id, name, tags, "");
    }

    /** The very thing that was seen, even if another one has the same tags. */
    <T extends Tagged> Optional<T> find(Family<T> family, ObservedResource seen) {
        return find(family, seen.id(), seen.name(), seen.tags(), seen.handle());
    }

    /** @param handle its identifier; empty for any that has the tags */
    <T extends Tagged> Optional<T> find(Family<T> family, ResourceId id, String name, Tags tags, String handle) {
        for (var one : family.named(cloud, name)) {
            if (!handle.isEmpty() && !one.id().equals(handle)) {
                continue;
            }
            var ownership = Ownership.of(one.tags())
                    .filter(found ->
                            found.id().equals(id) && found.tags().site().equals(tags.site()));
            if (ownership.isPresent()) {
                if (!ownership.get().tags().sameState(tags)) {
                    throw nameTaken(id, name);
                }
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    boolean exists(Resource desired, Tags tags) {
        return find(Family.of(desired.id().kind()), desired.id(), desired.name(), tags)
                .isPresent();
    }

    /** @throws Failure PROVIDER_REFUSED when it is not there */
    <T extends Tagged> T need(Family<T> family, ResourceId id, Tags tags) {
        var name = Kinds.name(tags.site(), id);
        return find(family, id, name, tags)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        "The " + family.words() + " " + name + " at " + words
                                + " no longer exists, and another resource needs it. Nothing was changed.",
                        "Plan again: the new plan creates it.")));
    }

    /**
     * Its identifier.
     *
     * @throws Failure PROVIDER_REFUSED when it is not there
     */
    String id(ResourceId id, Tags tags) {
        return need(Family.of(id.kind()), id, tags).id();
    }

    /** Succeeds if it does not exist. */
    void delete(ObservedResource seen, Call call) {
        var family = Family.of(seen.id().kind());
        find(family, seen).ifPresent(one -> deleteById(family, one.id(), seen.name(), call));
    }

    void deleteById(Family<?> family, String id, String name, Call call) {
        for (int tries = 1; ; tries++) {
            try {
                family.delete(cloud, id);
                return;
            } catch (Refusal refusal) {
                // Cinder answers 400 for an attached volume.
                if (!refusal.isConflict() && !(family == Family.VOLUMES && refusal.status() == 400)) {
                    throw refusal;
                }
                if (tries == TRIES) {
                    throw new Failure(inUse(family, id, name, refusal), refusal);
                }
                if (call.cancelled()) {
                    throw cancelled("Deleting " + name + " was cancelled; it is still there.");
                }
                call.progress("still in use");
                pause.of(PAUSE);
            }
        }
    }

    private Diagnostic inUse(Family<?> family, String id, String name, Refusal refusal) {
        var holders = holders(family, id);
        return Diagnostic.error(
                Code.OPENSTACK_IN_USE,
                "The " + family.words() + " " + name + " at " + words + " is still there: " + held(holders)
                        + refusal.told(),
                "Delete what uses it if that is not needed, then run the same command again: it goes on from here.",
                family == Family.VOLUMES ? "openstack volume show " + id : "openstack port list --long");
    }

    private static String held(List<String> holders) {
        return switch (holders.size()) {
            case 0 -> "";
            case 1 -> holders.getFirst() + " holds it. ";
            default -> String.join(", ", holders) + " hold it. ";
        };
    }

    /** The ports on it, or the servers that it is attached to. */
    private List<String> holders(Family<?> family, String id) {
        if (family == Family.VOLUMES) {
            var volume = cloud.client().blockStorage().volumes().get(id);
            return volume == null
                    ? List.of()
                    : volume.getAttachments().stream()
                            .map(attachment -> "server " + attachment.getServerId())
                            .toList();
        }
        return selecting(family, id)
                .map(query -> Family.PORTS.list(cloud, query).stream()
                        .filter(port -> !PASSING.contains(port.deviceOwner()))
                        .map(port -> "port " + port.id()
                                + (port.deviceOwner().isEmpty()
                                        ? ""
                                        : " of " + port.deviceOwner() + " " + port.deviceId()))
                        .toList())
                .orElse(List.of());
    }

    /** The query for the ports on a thing; empty where there are none. */
    private static Optional<Map<String, String>> selecting(Family<?> family, String id) {
        if (family == Family.NETWORKS) {
            return Optional.of(Map.of("network_id", id));
        }
        if (family == Family.SUBNETS) {
            return Optional.of(Map.of("fixed_ips", "subnet_id=" + id));
        }
        if (family == Family.ROUTERS) {
            return Optional.of(Map.of("device_id", id));
        }
        return family == Family.SECURITY_GROUPS ? Optional.of(Map.of("security_groups", id)) : Optional.empty();
    }

    Failure nameTaken(ResourceId id, String name) {
        return new Failure(Compilation.nameTaken(words, Family.of(id.kind()).words(), name));
    }

    Failure cancelled(String what) {
        return new Failure(Diagnostic.error(Code.CANCELLED, what, "Run the same command again: it goes on from here."));
    }

    /** How messages name the cloud. */
    String words() {
        return words;
    }
}
