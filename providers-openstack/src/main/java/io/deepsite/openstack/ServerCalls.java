package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/** Makes, changes and deletes servers: a few requests each, in an order that a crash at any point leaves mendable. */
final class ServerCalls {
    /** A bare-metal server takes its time. */
    private static final Duration LIMIT = Duration.ofMinutes(45);

    private static final Set<String> UNDER_WAY = Set.of("BUILD", "REBOOT", "HARD_REBOOT", "RESIZE", "REVERT_RESIZE");

    private final Api api;
    private final TaggedResources things;
    private final Polling<Snapshot.Server> watch;
    private final ServerBody bodies;
    private final int retries;

    ServerCalls(Api api, TaggedResources things, Polling<Snapshot.Server> watch, ServerBody bodies, int retries) {
        this.api = api;
        this.things = things;
        this.watch = watch;
        this.bodies = bodies;
        this.retries = retries;
    }

    void create(Resource desired, Tags tags, Boot boot, Call call) {
        var zones = new TreeSet<String>();
        for (int failed = 0; ; ) {
            var server = find(desired.id(), desired.name(), tags);
            if (server.isEmpty()) {
                if (call.cancelled()) {
                    throw things.cancelled("Making " + desired.name() + " was cancelled. Nothing was changed.");
                }
                var elsewhere = elsewhere(desired, zones);
                call.progress("creating"
                        + elsewhere.map(zone -> " in the zone " + zone).orElse(""));
                api.post(Service.COMPUTE, "/servers", bodies.of(desired, tags, boot, elsewhere));
                server = find(desired.id(), desired.name(), tags);
            }
            var begun = Read.server(server.orElseThrow(() -> vanished(desired.name())));
            var zone = new AtomicReference<>(begun.zone());
            var made = settled(begun, zone::set, call);
            switch (Observation.condition(made)) {
                case READY -> {
                    return;
                }
                case STOPPED -> {
                    start(made, call);
                    return;
                }
                case HALF_MADE -> {
                    failed++;
                    zones.add(zone.get());
                    var fault = fault(made);
                    call.progress("failed: " + fault);
                    remove(made, call);
                    if (failed > retries) {
                        throw new Failure(failed(desired, fault, failed));
                    }
                }
            }
        }
    }

    /**
     * Another zone than those where it failed: all that Nova lets a tenant say of the place. Empty leaves it to the
     * scheduler: at first, after a failure without a host (it looked everywhere), and where something ties the server to
     * a zone.
     */
    private Optional<String> elsewhere(Resource desired, Set<String> failed) {
        var values = desired.values();
        boolean tied = values.containsKey(ServerAttributes.ZONE)
                || values.getOrDefault(ServerAttributes.PLACEMENT, "").equals("affinity")
                || values.keySet().stream().anyMatch(key -> key.startsWith(ServerAttributes.VOLUME));
        return tied || failed.stream().allMatch(String::isEmpty)
                ? Optional.empty()
                : api.list(Service.COMPUTE, "/os-availability-zone", "availabilityZoneInfo", Read::zone).stream()
                        .filter(zone -> !zone.isEmpty() && !failed.contains(zone))
                        .findFirst();
    }

    private Failure vanished(String name) {
        return new Failure(Diagnostic.error(
                Code.OPENSTACK_SERVER_FAILED,
                "The server " + name + " at " + things.cloud() + " was made, and is gone again.",
                "Somebody else deletes servers of this project. Run the same command again when that has an end."));
    }

    /** @throws Failure NAME_TAKEN for one of this name without our tags, too */
    private Optional<JsonNode> find(ResourceId id, String name, Tags tags) {
        var ours = things.find(id, name, tags);
        if (ours.isEmpty()
                && !things.list(Family.SERVERS, "?name=^" + name + "$").isEmpty()) {
            throw things.nameTaken(id, name);
        }
        return ours;
    }

    /**
     * Waits while Nova works on it.
     *
     * @param zone told where it is: Nova forgets that with a build that failed
     */
    private Snapshot.Server settled(Snapshot.Server server, Consumer<String> zone, Call call) {
        if (!UNDER_WAY.contains(server.status())) {
            return server;
        }
        call.progress("starting");
        return watch.await(
                        server.id(),
                        seen -> {
                            seen.map(Snapshot.Server::zone)
                                    .filter(where -> !where.isEmpty())
                                    .ifPresent(zone);
                            return seen.map(Snapshot.Server::status)
                                    .map(status -> !UNDER_WAY.contains(status))
                                    .orElse(true);
                        },
                        LIMIT,
                        "the server " + server.name(),
                        call)
                .orElseThrow(() -> vanished(server.name()));
    }

    /** Nova's own words, and the id by which its administrator finds the request in the logs. */
    private String fault(Snapshot.Server server) {
        var message = server.fault();
        var requestId = "";
        try {
            // A list leaves out why a server failed that never came to a host: Nova keeps such servers elsewhere.
            message = Nodes.text(
                    api.get(Service.COMPUTE, "/servers/" + server.id())
                            .path("server")
                            .path("fault"),
                    "message");
            var actions = api.get(Service.COMPUTE, "/servers/" + server.id() + "/os-instance-actions");
            for (var action : actions.path("instanceActions")) {
                if (Nodes.text(action, "action").equals("create")) {
                    requestId = Nodes.text(action, "request_id");
                }
            }
        } catch (Refusal _) {
            // What is known already is better than nothing.
        }
        // It ends a part of a sentence; Nova ends with a full stop and a blank, or with neither.
        message = message.strip().replaceAll("\\.$", "");
        return (message.isEmpty() ? "no reason given" : message)
                + (requestId.isEmpty() ? "" : " (request id " + requestId + ")");
    }

    private Diagnostic failed(Resource desired, String fault, int tries) {
        return Diagnostic.error(
                Code.OPENSTACK_SERVER_FAILED,
                "Nova at " + things.cloud() + " could not make the server " + desired.name()
                        + (tries == 1 ? ": " : ", " + tries + " times; the last time: ") + fault
                        + (tries == 1 ? ". The failed server was deleted" : ". The failed servers were deleted")
                        + "; port, volumes and addresses are kept for the next try.",
                "If no host has room: ask for less, another flavor or availability zone. Then run the same command again.");
    }

    private void remove(Snapshot.Server server, Call call) {
        if (!api.delete(Service.COMPUTE, "/servers/" + server.id())) {
            return;
        }
        watch.await(server.id(), Optional::isEmpty, LIMIT, "deleting the server " + server.name(), call);
    }

    /** The keys that it was made with. Nova has no way to put others onto a machine without making it anew. */
    void place(ObservedResource machine, Boot boot) {
        var server = Read.server(things.need(machine.id(), machine.tags()));
        if (!server.metadata().entrySet().containsAll(ServerBody.digests(boot).entrySet())) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_KEYS_LOST,
                    "The server " + machine.name() + " at " + things.cloud()
                            + " was made with keys that this state folder does not hold, and OpenStack cannot give a"
                            + " machine others without making it anew. Nothing was changed.",
                    "Put vault.yml and login_key of the site's state folder back from a backup. Without them, delete what"
                            + " was made with them, and make it again:",
                    "deepsite destroy",
                    "deepsite apply"));
        }
    }

    void update(ObservedResource seen, Resource desired, Call call) {
        var server = Read.server(things.need(seen.id(), seen.tags()));
        server = settled(server, _ -> {}, call);
        metadata(server, desired);
        volumes(server, seen, desired);
        var flavor = desired.values().getOrDefault(ServerAttributes.FLAVOR, "");
        if (!flavor.equals(server.flavor())) {
            server = resize(server, flavor, call);
        }
        start(server, call);
    }

    private void metadata(Snapshot.Server server, Resource desired) {
        var wanted = ServerAttributes.metadata(desired);
        var changed = new TreeMap<String, String>();
        wanted.forEach((key, value) -> {
            if (!value.equals(server.metadata().get(key))) {
                changed.put(key, value);
            }
        });
        var path = "/servers/" + server.id() + "/metadata";
        if (!changed.isEmpty()) {
            api.post(Service.COMPUTE, path, Map.of("metadata", changed));
        }
        var gone = new TreeSet<>(server.metadata().keySet());
        gone.removeAll(wanted.keySet());
        gone.remove(Ownership.KEY);
        gone.remove(ServerAttributes.LOGIN_KEY);
        gone.remove(ServerAttributes.HOST_KEY);
        gone.forEach(key -> api.delete(Service.COMPUTE, path + "/" + URLEncoder.encode(key, StandardCharsets.UTF_8)));
    }

    private void volumes(Snapshot.Server server, ObservedResource seen, Resource desired) {
        var before = new TreeMap<>(seen.attributes());
        var path = "/servers/" + server.id() + "/os-volume_attachments";
        desired.values().forEach((attribute, key) -> {
            if (attribute.startsWith(ServerAttributes.VOLUME) && !Objects.equals(before.remove(attribute), key)) {
                api.post(
                        Service.COMPUTE,
                        path,
                        Map.of("volumeAttachment", Map.of("volumeId", volumeId(key, seen.tags()))));
            }
        });
        before.forEach((attribute, key) -> {
            if (attribute.startsWith(ServerAttributes.VOLUME)
                    && !desired.attributes().containsKey(attribute)) {
                api.delete(Service.COMPUTE, path + "/" + volumeId(key, seen.tags()));
            }
        });
    }

    private String volumeId(String key, Tags tags) {
        return Nodes.text(things.need(new ResourceId(Kinds.VOLUME, key), tags), "id");
    }

    private Snapshot.Server resize(Snapshot.Server server, String flavor, Call call) {
        call.progress("resizing to " + flavor);
        act(server, "resize", Map.of("flavorRef", bodies.flavorId(flavor)));
        return watch.await(
                        server.id(),
                        seen -> seen.map(Snapshot.Server::status)
                                .map(status -> status.equals("VERIFY_RESIZE") || status.equals("ERROR"))
                                .orElse(true),
                        LIMIT,
                        "resizing the server " + server.name(),
                        call)
                .orElseThrow(() -> vanished(server.name()));
    }

    /** Whatever it does instead of running. */
    private void start(Snapshot.Server server, Call call) {
        var action = switch (server.status()) {
            case "SHUTOFF" -> "os-start";
            case "PAUSED" -> "unpause";
            case "SUSPENDED" -> "resume";
            case "SHELVED", "SHELVED_OFFLOADED" -> "unshelve";
            case "RESCUE" -> "unrescue";
            case "VERIFY_RESIZE" -> "confirmResize";
            case "ERROR" -> "reboot";
            default -> "";
        };
        if (action.isEmpty()) {
            return;
        }
        call.progress(action.equals("confirmResize") ? "keeping the new size" : "starting");
        act(server, action, action.equals("reboot") ? Map.of("type", "HARD") : null);
        var before = server.status();
        var now = watch.await(
                        server.id(),
                        seen -> seen.map(Snapshot.Server::status)
                                .map(status -> !status.equals(before) && !UNDER_WAY.contains(status))
                                .orElse(true),
                        LIMIT,
                        "starting the server " + server.name(),
                        call)
                .orElseThrow(() -> vanished(server.name()));
        if (now.status().equals("ERROR")) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_SERVER_FAILED,
                    "Nova at " + things.cloud() + " could not start the server " + server.name() + ": " + fault(now)
                            + ". It is still there.",
                    "Mend what Nova names, then run the same command again."));
        }
        if (now.status().equals("SHUTOFF")) {
            start(now, call);
        }
    }

    private void act(Snapshot.Server server, String action, @Nullable Object body) {
        var request = new TreeMap<String, Object>();
        request.put(action, body == null ? NullNode.getInstance() : body);
        api.post(Service.COMPUTE, "/servers/" + server.id() + "/action", request);
    }

    void delete(ObservedResource seen, Call call) {
        things.find(seen).ifPresent(node -> {
            call.progress("deleting");
            remove(Read.server(node), call);
        });
    }

    void retag(ObservedResource seen, Ownership ownership) {
        things.find(seen)
                .ifPresent(node -> api.post(
                        Service.COMPUTE,
                        "/servers/" + Nodes.text(node, "id") + "/metadata",
                        Map.of("metadata", Map.of(Ownership.KEY, ownership.text()))));
    }

    private Optional<JsonNode> named(String machine, Name site) {
        var name = Kinds.name(site, new ResourceId(ResourceId.MACHINE, machine));
        return things.list(Family.SERVERS, "?name=^" + name + "$").stream().findFirst();
    }

    /** Why it never answers as it is; empty while it runs, or is on its way there. */
    Optional<String> down(String machine, Name site) {
        var found = named(machine, site);
        if (found.isEmpty()) {
            return Optional.of("it is not there");
        }
        // A list by name has names only.
        var path = "/servers/" + Nodes.text(found.get(), "id");
        var server = Read.server(api.get(Service.COMPUTE, path).path("server"));
        return Optional.of(server)
                .filter(seen -> !seen.status().equals("ACTIVE") && !UNDER_WAY.contains(seen.status()))
                .map(seen -> "its status is " + seen.status()
                        + (seen.status().equals("ERROR") ? ", because: " + fault(seen) : ""));
    }

    String console(String machine, Name site) {
        var found = named(machine, site);
        if (found.isEmpty()) {
            return "";
        }
        try {
            var answer = api.post(
                    Service.COMPUTE,
                    "/servers/" + Nodes.text(found.get(), "id") + "/action",
                    Map.of("os-getConsoleOutput", Map.of("length", 40)));
            return Nodes.text(answer, "output");
        } catch (Refusal refusal) {
            // 409 while it is built; 404 and 501 where the hypervisor has no console.
            if (refusal.isNotFound() || refusal.isConflict() || refusal.status() == 501) {
                return "";
            }
            throw refusal;
        }
    }
}
