package io.deepsite.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A site of a service.
 *
 * @param name at the back-end
 * @param owner name of who ordered it
 * @param template empty: its site.yaml was handed in
 * @param status planning, planned, waiting, building, ready, failed, deleting or deleted
 * @param lastEvent number of its last event
 * @param place in the queue of its project
 * @param secondsLeft of the run, by the time that former ones took
 * @param runs the latest first; in lists none
 * @param json as the service sends it
 */
public record OrderedSite(
        String id,
        String name,
        String title,
        String project,
        String owner,
        Optional<String> template,
        SortedMap<String, String> parameters,
        String status,
        long version,
        long lastEvent,
        Instant startsAt,
        Optional<Instant> endsAt,
        Optional<Integer> place,
        Optional<Long> secondsLeft,
        List<Run> runs,
        JsonNode json) {

    public OrderedSite {
        parameters = new TreeMap<>(parameters);
        runs = List.copyOf(runs);
    }

    /**
     * One piece of work on it.
     *
     * @param verb plan, apply or delete
     * @param status queued, running, done, failed or cancelled
     * @param result of a plan its steps; of an apply hosts and checks; else null
     * @param faults diagnostics; else null
     */
    public record Run(
            String id,
            String verb,
            String status,
            Instant askedAt,
            Optional<Instant> endedAt,
            JsonNode result,
            JsonNode faults) {
        private static Run of(JsonNode run) {
            return new Run(
                    run.path("id").asString(""),
                    run.path("verb").asString(""),
                    run.path("status").asString(""),
                    Instant.parse(run.path("askedAt").asString("")),
                    time(run.path("endedAt")),
                    run.path("result"),
                    run.path("faults"));
        }
    }

    static OrderedSite of(JsonNode site) {
        var parameters = new TreeMap<String, String>();
        site.path("parameters")
                .properties()
                .forEach(one -> parameters.put(one.getKey(), one.getValue().asString("")));
        return new OrderedSite(
                site.path("id").asString(""),
                site.path("name").asString(""),
                site.path("title").asString(""),
                site.path("project").asString(""),
                site.path("owner").asString(""),
                site.path("template").asStringOpt(),
                parameters,
                site.path("status").asString(""),
                site.path("version").asLong(0),
                site.path("lastEvent").asLong(0),
                Instant.parse(site.path("startsAt").asString("")),
                time(site.path("endsAt")),
                Optional.of(site.path("place").asInt(0)).filter(place -> place > 0),
                site.has("secondsLeft") ? Optional.of(site.path("secondsLeft").asLong(0)) : Optional.empty(),
                site.path("runs").valueStream().map(Run::of).toList(),
                site);
    }

    private static Optional<Instant> time(JsonNode time) {
        return time.asStringOpt().map(Instant::parse);
    }

    /** Values that a change of size is to bring; empty: none is planned. */
    public SortedMap<String, String> resize() {
        var values = new TreeMap<String, String>();
        json.path("resize")
                .properties()
                .forEach(one -> values.put(one.getKey(), one.getValue().asString("")));
        return values;
    }

    /** The latest of these. */
    public Optional<Run> last(String verb) {
        return runs.stream().filter(run -> run.verb().equals(verb)).findFirst();
    }

    /** Whether something of the service works on it, or will by itself. */
    public boolean moves() {
        return switch (status) {
            case "planning", "waiting", "building", "deleting" -> true;
            default -> false;
        };
    }
}
