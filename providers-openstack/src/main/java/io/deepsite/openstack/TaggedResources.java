package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Pause;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Finds what is ours by its tags, makes, changes and deletes it. */
final class TaggedResources {
    /** Tries to delete what something else still uses: ports of DHCP servers and of servers just deleted go by themselves. */
    private static final int TRIES = 8;

    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** Neutron deletes such ports itself, together with what they are on. */
    private static final Set<String> PASSING =
            Set.of("network:dhcp", "network:distributed", "network:floatingip_agent_gateway");

    private final Api api;
    private final String cloud;
    private final Pause pause;

    TaggedResources(Api api, String cloud, Pause pause) {
        this.api = api;
        this.cloud = cloud;
        this.pause = pause;
    }

    /**
     * The thing that carries these tags.
     *
     * @throws Failure NAME_TAKEN when another state made it
     */
    Optional<JsonNode> find(ResourceId id, String name, Tags tags) {
        return find(id, name, tags, "");
    }

    /** The very one that was seen, also where another one carries the same tags. */
    Optional<JsonNode> find(ObservedResource seen) {
        return find(seen.id(), seen.name(), seen.tags(), seen.handle());
    }

    /** @param handle by which its service knows it; empty: whichever carries the tags */
    Optional<JsonNode> find(ResourceId id, String name, Tags tags, String handle) {
        var family = Family.of(id.kind());
        for (var node : api.list(family.service(), family.named(name), family.many(), one -> one)) {
            if (!handle.isEmpty() && !family.id(node).equals(handle)) {
                continue;
            }
            var ownership = Ownership.of(family.tags(node))
                    .filter(found ->
                            found.id().equals(id) && found.tags().site().equals(tags.site()));
            if (ownership.isPresent()) {
                if (!ownership.get().tags().sameState(tags)) {
                    throw nameTaken(id, name);
                }
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    /** @throws Failure PROVIDER_REFUSED when it is not there */
    JsonNode need(ResourceId id, Tags tags) {
        var name = Kinds.name(tags.site(), id);
        return find(id, name, tags)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.PROVIDER_REFUSED,
                        "The " + Family.of(id.kind()).words() + " " + name + " at " + cloud
                                + " is gone; something else needs it. Nothing was changed.",
                        "Plan again: it is made anew.")));
    }

    /** All of a family that a query selects. */
    List<JsonNode> list(Family family, String query) {
        return api.list(family.service(), family.path() + query, family.many(), node -> node);
    }

    JsonNode create(Family family, Map<String, ?> body) {
        var answer =
                api.post(family.service(), family.path(), family.one().isEmpty() ? body : Map.of(family.one(), body));
        return family.one().isEmpty() ? answer : answer.path(family.one());
    }

    void put(Family family, String id, Map<String, ?> body) {
        api.put(family.service(), family.path() + "/" + id, Map.of(family.one(), body));
    }

    void post(Family family, String id, String what, Map<String, ?> body) {
        api.post(family.service(), family.path() + "/" + id + "/" + what, body);
    }

    /** Neutron's actions are PUT, Nova's and Cinder's POST. */
    void act(Family family, String id, String action, Map<String, ?> body) {
        api.put(family.service(), family.path() + "/" + id + "/" + action, body);
    }

    /** Writes the text that carries our tags. */
    void describe(ObservedResource seen, String text) {
        var family = Family.of(seen.id().kind());
        find(seen).ifPresent(node -> put(family, Nodes.text(node, "id"), Map.of("description", text)));
    }

    /** Tags of Neutron, for people to filter by; ours stand in the description. */
    void tag(Family family, String id, Name site) {
        try {
            api.put(
                    family.service(),
                    family.path() + "/" + id + "/tags",
                    Map.of("tags", List.of("deepsite", "deepsite-site=" + site)));
        } catch (Refusal refusal) {
            if (!refusal.isNotFound()) {
                throw refusal;
            }
        }
    }

    /** Gone already is success. */
    void delete(ObservedResource seen, Call call) {
        find(seen).ifPresent(node -> {
            var family = Family.of(seen.id().kind());
            deleteById(family, family.id(node), seen.name(), call);
        });
    }

    void deleteById(Family family, String id, String name, Call call) {
        for (int tries = 1; ; tries++) {
            try {
                api.delete(family.service(), family.path() + "/" + id);
                return;
            } catch (Refusal refusal) {
                // Cinder calls a volume that is attached a bad request.
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

    private Diagnostic inUse(Family family, String id, String name, Refusal refusal) {
        var holders = holders(family, id);
        return Diagnostic.error(
                Code.OPENSTACK_IN_USE,
                "The " + family.words() + " " + name + " at " + cloud + " is still there: " + held(holders)
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

    /** Whose ports are on it, or which servers it is attached to. */
    private List<String> holders(Family family, String id) {
        if (family == Family.VOLUMES) {
            var volume = Read.volume(api.get(Service.VOLUME, "/volumes/" + id).path(family.one()));
            return volume.serverIds().stream().map(server -> "server " + server).toList();
        }
        var query = switch (family) {
            case NETWORKS -> "?network_id=";
            case SUBNETS -> "?fixed_ips=subnet_id=";
            case ROUTERS -> "?device_id=";
            case SECURITY_GROUPS -> "?security_groups=";
            default -> "";
        };
        var holders = new ArrayList<String>();
        if (!query.isEmpty()) {
            for (var port : list(Family.PORTS, query + id)) {
                var owner = Nodes.text(port, "device_owner");
                if (!PASSING.contains(owner)) {
                    holders.add("port " + Nodes.text(port, "id")
                            + (owner.isEmpty() ? "" : " of " + owner + " " + Nodes.text(port, "device_id")));
                }
            }
        }
        return holders;
    }

    Failure nameTaken(ResourceId id, String name) {
        return new Failure(Compilation.nameTaken(cloud, Family.of(id.kind()).words(), name));
    }

    Failure cancelled(String what) {
        return new Failure(Diagnostic.error(Code.CANCELLED, what, "Run the same command again: it goes on from here."));
    }

    String cloud() {
        return cloud;
    }
}
