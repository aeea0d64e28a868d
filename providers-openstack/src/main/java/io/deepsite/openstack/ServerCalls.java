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
import org.openstack4j.api.compute.ServerService;
import org.openstack4j.model.compute.Action;
import org.openstack4j.model.compute.RebootType;

/** Creates, changes and deletes servers by a few requests each, in an order that a next run can continue after a crash. */
final class ServerCalls {
    /** Long enough for a bare-metal server. */
    private static final Duration LIMIT = Duration.ofMinutes(45);

    private static final int CONSOLE_LINES = 40;

    private static final Set<String> UNDER_WAY = Set.of("BUILD", "REBOOT", "HARD_REBOOT", "RESIZE", "REVERT_RESIZE");

    private final Cloud cloud;
    private final TaggedResources things;
    private final Polling<Snapshot.Server> watch;
    private final Attachments attachments;
    private final ServerBody bodies;
    private final int retries;

    ServerCalls(
            Cloud cloud,
            TaggedResources things,
            Polling<Snapshot.Server> watch,
            Attachments attachments,
            ServerBody bodies,
            int retries) {
        this.cloud = cloud;
        this.things = things;
        this.watch = watch;
        this.attachments = attachments;
        this.bodies = bodies;
        this.retries = retries;
    }

    void create(Resource desired, Tags tags, Boot boot, Call call) {
        var zones = new TreeSet<String>();
        for (int failed = 0; ; ) {
            var found = find(desired.id(), desired.name(), tags);
            if (found.isEmpty()) {
                if (call.cancelled()) {
                    throw things.cancelled("Making " + desired.name() + " was cancelled. Nothing was changed.");
                }
                var elsewhere = elsewhere(desired, zones);
                call.progress("creating"
                        + elsewhere.map(zone -> " in the zone " + zone).orElse(""));
                var server = bodies.of(desired, tags, boot, elsewhere);
                cloud.client().compute().servers().boot(server);
                found = find(desired.id(), desired.name(), tags);
            }
            var begun = found.orElseThrow(() -> vanished(desired.name()));
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
     * Another zone than those where it failed: a tenant cannot choose more of the place. Empty leaves it to the scheduler:
     * at first, after a failure without a host (it tried all of them), and if something ties the server to a zone.
     */
    private Optional<String> elsewhere(Resource desired, Set<String> failed) {
        var values = desired.values();
        boolean tied = values.containsKey(ServerAttributes.ZONE)
                || values.getOrDefault(ServerAttributes.PLACEMENT, "").equals("affinity")
                || values.keySet().stream().anyMatch(key -> key.startsWith(ServerAttributes.VOLUME));
        return tied || failed.stream().allMatch(String::isEmpty)
                ? Optional.empty()
                : cloud.client().compute().zones().list().stream()
                        .flatMap(zone -> Read.zone(zone).stream())
                        .filter(zone -> !failed.contains(zone))
                        .findFirst();
    }

    private Failure vanished(String name) {
        return new Failure(
                Diagnostic.error(
                        Code.OPENSTACK_SERVER_FAILED,
                        "The server " + name + " at " + things.words() + " was created, and no longer exists.",
                        "Another user or program deletes servers of this project. Stop that, then run the same command again."));
    }

    /** @throws Failure NAME_TAKEN also for a server of this name without our tags */
    private Optional<Snapshot.Server> find(ResourceId id, String name, Tags tags) {
        var ours = things.find(Family.SERVERS, id, name, tags);
        if (ours.isEmpty() && idOf(name).isPresent()) {
            throw things.nameTaken(id, name);
        }
        return ours;
    }

    /**
     * Waits until Nova has finished its work on it.
     *
     * @param zone gets the server's zone: Nova forgets it when a build fails
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

    /** Nova's own words, and the request id by which its administrator finds it in the logs. */
    private String fault(Snapshot.Server server) {
        var message = server.fault();
        var requestId = "";
        try {
            // A list does not say why a server failed that was never on a host: Nova keeps such servers elsewhere.
            message = status(server.id()).fault();
            for (var action :
                    cloud.client().compute().servers().instanceActions().list(server.id())) {
                if (Read.text(action.getAction()).equals("create")) {
                    requestId = Read.text(action.getRequestId());
                }
            }
        } catch (Refusal _) {
            // Then the fault that the list had is used.
        }
        // The message ends a part of a sentence; Nova's ends with a full stop and a blank, or with neither.
        message = message.strip().replaceAll("\\.$", "");
        return (message.isEmpty() ? "no reason given" : message)
                + (requestId.isEmpty() ? "" : " (request id " + requestId + ")");
    }

    private Diagnostic failed(Resource desired, String fault, int tries) {
        return Diagnostic.error(
                Code.OPENSTACK_SERVER_FAILED,
                "Nova at " + things.words() + " could not create the server " + desired.name()
                        + (tries == 1 ? ": " : ", " + tries + " times; the last time: ") + fault
                        + (tries == 1 ? ". The failed server was deleted" : ". The failed servers were deleted")
                        + "; port, volumes and addresses are kept for the next try.",
                "If no host has room: ask for less, another flavor or availability zone. Then run the same command again.");
    }

    private void remove(Snapshot.Server server, Call call) {
        if (!Family.SERVERS.delete(cloud, server.id())) {
            return;
        }
        watch.await(server.id(), Optional::isEmpty, LIMIT, "deleting the server " + server.name(), call);
    }

    /** Checks the keys that it was created with. Nova cannot give others to a machine without creating it again. */
    void place(ObservedResource machine, Boot boot) {
        var server = things.need(Family.SERVERS, machine.id(), machine.tags());
        if (!server.metadata().entrySet().containsAll(ServerBody.digests(boot).entrySet())) {
            throw new Failure(Diagnostic.error(
                    Code.OPENSTACK_KEYS_LOST,
                    "The server " + machine.name() + " at " + things.words()
                            + " was created with keys that this state folder does not hold, and OpenStack cannot give other"
                            + " keys to an existing machine. Nothing was changed.",
                    "Restore vault.yml and login_key of the site's state folder from a backup. Without a backup, delete"
                            + " the site and create it again:",
                    "deepsite destroy",
                    "deepsite apply"));
        }
    }

    void update(ObservedResource seen, Resource desired, Call call) {
        var server = settled(things.need(Family.SERVERS, seen.id(), seen.tags()), _ -> {}, call);
        metadata(server, desired);
        volumes(server, seen, desired, call);
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
        if (!changed.isEmpty()) {
            add(server, changed);
        }
        var gone = new TreeSet<>(server.metadata().keySet());
        gone.removeAll(wanted.keySet());
        gone.remove(Ownership.KEY);
        gone.remove(ServerAttributes.LOGIN_KEY);
        gone.remove(ServerAttributes.HOST_KEY);
        gone.forEach(
                key -> Refusal.found(() -> cloud.client().compute().servers().deleteMetadataItem(server.id(), key)));
    }

    /** openstack4j's call writes all metadata, and would delete what another run adds at the same time. */
    private void add(Snapshot.Server server, Map<String, String> metadata) {
        cloud.rest(Service.COMPUTE).post("/servers/" + server.id() + "/metadata", Map.of("metadata", metadata));
    }

    private void volumes(Snapshot.Server server, ObservedResource seen, Resource desired, Call call) {
        var before = new TreeMap<>(seen.attributes());
        desired.values().forEach((attribute, key) -> {
            if (attribute.startsWith(ServerAttributes.VOLUME) && !Objects.equals(before.remove(attribute), key)) {
                attachments.attach(server, volumeId(key, seen.tags()), call);
            }
        });
        before.forEach((attribute, key) -> {
            if (attribute.startsWith(ServerAttributes.VOLUME)
                    && !desired.attributes().containsKey(attribute)) {
                attachments.detach(server, volumeId(key, seen.tags()), call);
            }
        });
    }

    private String volumeId(String key, Tags tags) {
        return things.id(new ResourceId(Kinds.VOLUME, key), tags);
    }

    private Snapshot.Server resize(Snapshot.Server server, String flavor, Call call) {
        call.progress("resizing to " + flavor);
        var id = bodies.flavorId(flavor);
        cloud.client().compute().servers().resize(server.id(), id);
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

    /** Starts it, whatever its status; a resize is confirmed. */
    private void start(Snapshot.Server server, Call call) {
        var id = server.id();
        @Nullable
        Consumer<ServerService> action = switch (server.status()) {
            case "SHUTOFF" -> nova -> nova.action(id, Action.START);
            case "PAUSED" -> nova -> nova.action(id, Action.UNPAUSE);
            case "SUSPENDED" -> nova -> nova.action(id, Action.RESUME);
            case "SHELVED", "SHELVED_OFFLOADED" -> nova -> nova.action(id, Action.UNSHELVE);
            case "RESCUE" -> nova -> nova.action(id, Action.UNRESCUE);
            case "VERIFY_RESIZE" -> nova -> nova.confirmResize(id);
            case "ERROR" -> nova -> nova.reboot(id, RebootType.HARD);
            default -> null;
        };
        if (action == null) {
            return;
        }
        call.progress(server.status().equals("VERIFY_RESIZE") ? "keeping the new size" : "starting");
        action.accept(cloud.client().compute().servers());
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
                    "Nova at " + things.words() + " could not start the server " + server.name() + ": " + fault(now)
                            + ". It is still there.",
                    "Fix what Nova reports, then run the same command again."));
        }
        if (now.status().equals("SHUTOFF")) {
            start(now, call);
        }
    }

    void delete(ObservedResource seen, Call call) {
        things.find(Family.SERVERS, seen).ifPresent(server -> {
            call.progress("deleting");
            remove(server, call);
        });
    }

    void retag(ObservedResource seen, Ownership ownership) {
        things.find(Family.SERVERS, seen).ifPresent(server -> add(server, Map.of(Ownership.KEY, ownership.text())));
    }

    /** The server of this name, whoever created it, from the short list, which openstack4j cannot filter. */
    private Optional<String> idOf(String name) {
        return cloud.rest(Service.COMPUTE).list("/servers", Map.of("name", "^" + name + "$"), "servers").stream()
                .map(node -> Nodes.text(node, "id"))
                .findFirst();
    }

    private Optional<String> idOf(String machine, Name site) {
        return idOf(Kinds.name(site, new ResourceId(ResourceId.MACHINE, machine)));
    }

    private Snapshot.Server status(String id) {
        return Read.server(cloud.rest(Service.COMPUTE).get("/servers/" + id).path("server"));
    }

    /** Why the machine cannot answer; empty if it runs or is starting. */
    Optional<String> down(String machine, Name site) {
        var id = idOf(machine, site);
        if (id.isEmpty()) {
            return Optional.of("it is not there");
        }
        return Optional.of(status(id.get()))
                .filter(seen -> !seen.status().equals("ACTIVE") && !UNDER_WAY.contains(seen.status()))
                .map(seen -> "its status is " + seen.status()
                        + (seen.status().equals("ERROR") ? ", because: " + fault(seen) : ""));
    }

    String console(String machine, Name site) {
        var id = idOf(machine, site);
        if (id.isEmpty()) {
            return "";
        }
        try {
            return Read.text(cloud.client().compute().servers().getConsoleOutput(id.get(), CONSOLE_LINES));
        } catch (Refusal refusal) {
            // 409 while it is built; 404 and 501 where the hypervisor has no console.
            if (refusal.isNotFound() || refusal.isConflict() || refusal.status() == 501) {
                return "";
            }
            throw refusal;
        }
    }
}
