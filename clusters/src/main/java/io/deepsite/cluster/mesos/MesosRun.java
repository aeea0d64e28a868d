package io.deepsite.cluster.mesos;

import io.deepsite.cluster.mesos.MesosApi.Part;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Pause;
import io.deepsite.render.JsonText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Submits one piece of work to Marathon or Chronos, follows it until it runs or has ended, and collects its output. */
public final class MesosRun {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    /** Bytes of a file requested from an agent at once. */
    private static final int PIECE = 65_536;

    private static final String JOBS = "v1/scheduler/jobs";
    /** Chronos 3.0.2, MesosJobFramework.statusUpdate: it counts TASK_FINISHED, TASK_FAILED and TASK_LOST. */
    private static final Set<String> UNCOUNTED =
            Set.of("TASK_KILLED", "TASK_ERROR", "TASK_DROPPED", "TASK_GONE", "TASK_UNREACHABLE");

    private final MesosApi api;
    private final InstantSource clock;
    private final Pause pause;
    private final Duration patience;

    /** @param patience how long it is followed */
    MesosRun(MesosApi api, InstantSource clock, Pause pause, Duration patience) {
        this.api = api;
        this.clock = clock;
        this.pause = pause;
        this.patience = patience;
    }

    /**
     * @param state running or, with a health check, healthy or unhealthy; done, failed, waiting (nothing happened within the
     *     time), or submitted (not followed)
     * @param where host of each running task, with its ports
     * @param stdout the output of its tasks so far
     */
    public record Told(
            String name, String state, Optional<String> why, List<String> where, String stdout, String stderr) {
        public Told {
            where = List.copyOf(where);
        }

        public boolean isWell() {
            return !Set.of("failed", "waiting", "unhealthy").contains(state);
        }

        static Told submitted(String name) {
            return new Told(name, "submitted", Optional.empty(), List.of(), "", "");
        }
    }

    /** @throws Failure WORK_REFUSED */
    public Told service(Work work, boolean follow) {
        var name = work.name().value();
        api.ask(Part.Service.MARATHON, "POST", "v2/apps", Optional.of(JsonText.of(new MesosWork(work).app())));
        if (!follow) {
            return Told.submitted(name);
        }
        var end = clock.instant().plus(patience);
        while (true) {
            var app = read(Part.Service.MARATHON, "v2/apps/" + name).path("app");
            var running = all(app.path("tasks")).stream()
                    .filter(task -> task.path("state").asString("TASK_RUNNING").equals("TASK_RUNNING")
                            && task.hasNonNull("startedAt"))
                    .toList();
            boolean checked = work.healthCheck().isPresent();
            var ready = checked ? running.stream().filter(MesosRun::isHealthy).toList() : running;
            if (ready.size() >= work.instances()) {
                return told(
                        name,
                        checked ? "healthy" : "running",
                        Optional.empty(),
                        ready.stream().map(MesosRun::place).toList(),
                        ofApp(name));
            }
            if (isOver(end)) {
                var failure = app.path("lastTaskFailure").path("message").asString("");
                if (checked && running.size() >= work.instances()) {
                    return told(name, "unhealthy", Optional.of(cause(running, failure)), List.of(), ofApp(name));
                }
                return told(
                        name,
                        failure.isEmpty() ? "waiting" : "failed",
                        Optional.of(
                                failure.isEmpty()
                                        ? "After " + patience.toSeconds() + " s its tasks do not run: no agent has"
                                                + " enough free resources. Marathon keeps trying."
                                        : failure),
                        List.of(),
                        ofApp(name));
            }
        }
    }

    private static boolean isHealthy(JsonNode task) {
        var results = all(task.path("healthCheckResults"));
        return !results.isEmpty()
                && results.stream().allMatch(result -> result.path("alive").asBoolean(false));
    }

    /** @param former why the last task failed, or empty */
    private String cause(List<JsonNode> running, String former) {
        return running.stream()
                .filter(task -> !isHealthy(task))
                .flatMap(task -> all(task.path("healthCheckResults")).stream())
                .map(result -> result.path("lastFailureCause").asString(""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(text -> "Its health check fails: " + text)
                .orElse(
                        former.isEmpty()
                                ? "After " + patience.toSeconds() + " s its tasks run, but no health check has passed."
                                : former);
    }

    /**
     * @param now also start it once immediately, besides its schedule or parents
     * @throws Failure WORK_REFUSED
     */
    public Told job(Work work, boolean follow, boolean now) {
        var name = work.name().value();
        boolean follows = follow && (now || !work.waits());
        if (!work.parents().isEmpty()) {
            JobParents.check(work, all(read(Part.Service.CHRONOS, JOBS)));
        }
        // A job of that name may have run before.
        Set<String> earlier = follows
                ? tasks(read(Part.Service.MESOS, "master/state")).stream()
                        .map(MesosRun::id)
                        .collect(Collectors.toSet())
                : Set.of();
        var json = new MesosWork(work);
        api.ask(Part.Service.CHRONOS, "POST", json.jobPath(), Optional.of(JsonText.of(json.job())));
        var end = clock.instant().plus(patience);
        Predicate<JsonNode> ofJob = task -> id(task).contains(":" + name + ":") && !earlier.contains(id(task));
        if (now && work.waits()) {
            // Chronos registers a new job only after its answer, and starts no job before.
            while (jobCalled(name).isEmpty()) {
                if (isOver(end)) {
                    var why = "After " + patience.toSeconds() + " s Chronos has not registered it.";
                    return told(name, "waiting", Optional.of(why), List.of(), ofJob);
                }
            }
            api.ask(Part.Service.CHRONOS, "PUT", "v1/scheduler/job/" + name, Optional.empty());
        }
        if (!follows) {
            return Told.submitted(name);
        }
        while (true) {
            // Both count from zero: a job that is posted again begins anew.
            var job = jobCalled(name);
            if (job.path("successCount").asInt(0) > 0) {
                return told(name, "done", Optional.empty(), List.of(), ofJob);
            }
            // A failure counts when no attempt is left.
            if (job.path("errorCount").asInt(0) > 0) {
                var why = work.retries() == 0 ? "It failed once." : "It failed " + (work.retries() + 1) + " times.";
                return told(name, "failed", Optional.of(why), List.of(), ofJob);
            }
            if (isOver(end)) {
                var why = "After " + patience.toSeconds() + " s it has not ended.";
                return told(name, "waiting", Optional.of(why + lost(ofJob)), List.of(), ofJob);
            }
        }
    }

    /** What Mesos says of a task that is over, although Chronos counts neither a success nor a failure. */
    private String lost(Predicate<JsonNode> ofJob) {
        return tasks(read(Part.Service.MESOS, "master/state")).stream()
                .filter(ofJob)
                .map(task -> task.path("state").asString(""))
                .filter(UNCOUNTED::contains)
                .findFirst()
                .map(state -> " Its task ended with " + state + ", which Chronos counts as nothing.")
                .orElse("");
    }

    /** An empty node if there is none. */
    private JsonNode jobCalled(String name) {
        return all(read(Part.Service.CHRONOS, JOBS)).stream()
                .filter(each -> each.path("name").asString("").equals(name))
                .findFirst()
                .orElseGet(JSON::createObjectNode);
    }

    /** Pauses briefly; true if the time is over. */
    private boolean isOver(Instant end) {
        if (clock.instant().isAfter(end)) {
            return true;
        }
        pause.of(BETWEEN_LOOKS);
        return false;
    }

    private static Predicate<JsonNode> ofApp(String name) {
        return task -> id(task).startsWith(name + ".");
    }

    private static String place(JsonNode task) {
        var place = new StringBuilder(task.path("host").asString(""));
        all(task.path("ports")).forEach(port -> place.append(' ').append(port.asInt()));
        return place.toString();
    }

    private Told told(String name, String state, Optional<String> why, List<String> where, Predicate<JsonNode> isOurs) {
        var known = read(Part.Service.MESOS, "master/state");
        var out = new StringBuilder();
        var err = new StringBuilder();
        for (var task : tasks(known)) {
            if (isOurs.test(task)) {
                all(known.path("slaves")).stream()
                        .filter(agent -> agent.path("id").equals(task.path("slave_id")))
                        .map(agent -> agent.path("hostname").asString(""))
                        .findFirst()
                        .ifPresent(host -> files(new Part.Agent(host), task, out, err));
            }
        }
        return new Told(name, state, why, where, out.toString(), err.toString());
    }

    private static List<JsonNode> tasks(JsonNode state) {
        return all(state.path("frameworks"), state.path("completed_frameworks")).stream()
                .flatMap(framework -> all(framework.path("tasks"), framework.path("completed_tasks")).stream())
                .toList();
    }

    private static String id(JsonNode task) {
        return task.path("id").asString("");
    }

    private void files(Part.Agent agent, JsonNode task, StringBuilder out, StringBuilder err) {
        var state = read(agent, "state");
        for (var framework : all(state.path("frameworks"), state.path("completed_frameworks"))) {
            for (var executor : all(framework.path("executors"), framework.path("completed_executors"))) {
                var id = executor.path("id");
                if (id.equals(task.path("executor_id")) || id.equals(task.path("id"))) {
                    var folder = executor.path("directory").asString("");
                    out.append(file(agent, folder + "/stdout"));
                    err.append(file(agent, folder + "/stderr"));
                }
            }
        }
    }

    /** Agents serve files in pieces. */
    private String file(Part.Agent agent, String path) {
        var text = new StringBuilder();
        long offset = 0;
        while (true) {
            var piece = read(
                            agent,
                            "files/read?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8) + "&offset=" + offset
                                    + "&length=" + PIECE)
                    .path("data")
                    .asString("");
            if (piece.isEmpty()) {
                return text.toString();
            }
            text.append(piece);
            offset += piece.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    private JsonNode read(Part part, String path) {
        return JSON.readTree(api.ask(part, "GET", path, Optional.empty()));
    }

    private static List<JsonNode> all(JsonNode... lists) {
        var all = new ArrayList<JsonNode>();
        for (var list : lists) {
            StreamSupport.stream(list.spliterator(), false).forEach(all::add);
        }
        return all;
    }
}
