package io.deepsite.report;

import io.deepsite.apply.Event;
import io.deepsite.text.HostNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run did on which hosts, and when. Hosts on which the same was done, with the same end, are one row, so that a
 * thousand of them take no more room than one.
 *
 * @param begun when the run began; the other times are from there
 * @param phases in order
 * @param rows in the order in which they begin
 */
public record Timeline(Instant begun, Duration took, List<Phase> phases, List<Row> rows) {
    public Timeline {
        phases = List.copyOf(phases);
        rows = List.copyOf(rows);
    }

    public record Phase(String name, Duration from, Duration to) {}

    /** @param subjects hosts or resources, in order */
    public record Row(List<String> subjects, List<Step> steps) {
        public Row {
            subjects = List.copyOf(subjects);
            steps = List.copyOf(steps);
        }
    }

    /**
     * A step on all subjects of a row.
     *
     * @param what {@code hpc.munge}, or what is done to a resource
     * @param from of the first subject
     * @param to of the last one
     * @param slowest of the subject that took longest
     * @param message of the first subject; empty where there is nothing to say
     */
    public record Step(
            String what, boolean onBackEnd, How how, Duration from, Duration to, Stretch slowest, String message) {}

    public record Stretch(Duration from, Duration to) {
        public Duration length() {
            return to.minus(from);
        }
    }

    /** How a step ended. */
    public enum How {
        DONE("done"),
        FAILED("failed"),
        NOT_TRIED("not tried"),
        CANCELLED("cancelled"),
        /** The run was killed meanwhile. */
        CUT("not finished");

        private final String words;

        How(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** One step of one subject. */
    private record Single(String subject, String what, boolean onBackEnd, How how, Stretch when, String message) {}

    /** What makes two subjects one row. */
    private record Alike(String what, How how, String message) {}

    static Timeline of(RunLog log) {
        var timings = log.timings();
        var begun = timings.begun();
        var bySubject = new LinkedHashMap<String, List<Single>>();
        singles(log)
                .forEach(step -> bySubject
                        .computeIfAbsent(step.subject(), _ -> new ArrayList<>())
                        .add(step));
        return new Timeline(
                begun,
                Duration.between(begun, log.end()),
                timings.phases().stream()
                        .map(phase -> new Phase(
                                phase.what(),
                                Duration.between(begun, phase.begun()),
                                Duration.between(begun, phase.begun().plus(phase.took()))))
                        .toList(),
                rows(bySubject));
    }

    private static List<Single> singles(RunLog log) {
        var timings = log.timings();
        var all = new ArrayList<Single>();
        timings.steps().forEach(part -> all.add(single(timings.begun(), part)));
        timings.unfinished().forEach(part -> all.add(single(timings.begun(), part)));
        var end = Duration.between(timings.begun(), log.end());
        timings.notBegun()
                .forEach(ended -> all.add(new Single(
                        ended.subject(),
                        what(ended.step(), ""),
                        isOnBackEnd(ended.step()),
                        how(ended.outcome()),
                        new Stretch(end, end),
                        ended.message())));
        all.sort(Comparator.comparing(step -> step.when().from()));
        return all;
    }

    private static Single single(Instant begun, Timings.Part part) {
        var from = Duration.between(begun, part.begun());
        return new Single(
                part.subject(),
                what(part.step(), part.what()),
                isOnBackEnd(part.step()),
                part.ended().map(ended -> how(ended.outcome())).orElse(How.CUT),
                new Stretch(from, from.plus(part.took())),
                part.ended().map(Event.Ended::message).orElse(""));
    }

    private static List<Row> rows(Map<String, List<Single>> bySubject) {
        var alike = new LinkedHashMap<List<Alike>, List<String>>();
        bySubject.forEach((subject, steps) -> alike.computeIfAbsent(
                        steps.stream()
                                .map(step ->
                                        new Alike(step.what(), step.how(), HostNames.without(subject, step.message())))
                                .toList(),
                        _ -> new ArrayList<>())
                .add(subject));
        var rows = new ArrayList<Row>();
        alike.values().forEach(subjects -> {
            subjects.sort(HostNames::compare);
            var of = subjects.stream()
                    .map(subject -> bySubject.getOrDefault(subject, List.of()))
                    .toList();
            var steps = new ArrayList<Step>();
            for (int i = 0; i < of.getFirst().size(); i++) {
                int index = i;
                steps.add(step(of.stream().map(one -> one.get(index)).toList()));
            }
            rows.add(new Row(subjects, steps));
        });
        return rows;
    }

    private static Step step(List<Single> same) {
        var first = same.getFirst();
        return new Step(
                first.what(),
                first.onBackEnd(),
                first.how(),
                same.stream()
                        .map(one -> one.when().from())
                        .min(Comparator.naturalOrder())
                        .orElseThrow(),
                same.stream()
                        .map(one -> one.when().to())
                        .max(Comparator.naturalOrder())
                        .orElseThrow(),
                same.stream()
                        .map(Single::when)
                        .max(Comparator.comparing(Stretch::length))
                        .orElseThrow(),
                first.message());
    }

    private static boolean isOnBackEnd(String step) {
        return step.startsWith("resource:");
    }

    /** A stage has a name; what is done to a resource is a word of its event. */
    private static String what(String step, String word) {
        if (!isOnBackEnd(step)) {
            return step.replaceFirst("@[^@]*$", "");
        }
        return word.isEmpty() ? "back-end" : word;
    }

    private static How how(Event.StepOutcome outcome) {
        return switch (outcome) {
            case DONE -> How.DONE;
            case FAILED -> How.FAILED;
            case BLOCKED -> How.NOT_TRIED;
            case CANCELLED -> How.CANCELLED;
        };
    }
}
