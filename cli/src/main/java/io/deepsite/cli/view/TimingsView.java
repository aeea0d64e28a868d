package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import io.deepsite.report.Timings;
import io.deepsite.text.Elapsed;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Where the time of a run went, as text. */
public final class TimingsView {
    private static final int SLOWEST = 10;
    private static final int PLAYS = 4;

    private TimingsView() {}

    /** @param connections of deepsite itself, by host */
    public static String text(Timings timings, Map<String, Integer> connections) {
        var lines = new Lines();
        lines.add(0, "Timings");
        timings.phases().forEach(phase -> lines.add(2, took(phase.took()) + phase.what()));
        var processes = timings.processes();
        if (!processes.isEmpty()) {
            lines.add(
                    0, ansible(processes.stream().map(Timings.AnsibleRun::ended).toList()));
            processes.forEach(process -> lines.add(2, process(process.ended())));
        }
        lines.add(
                0,
                "SSH connections of deepsite: "
                        + connections.values().stream()
                                .mapToInt(Integer::intValue)
                                .sum() + " to " + hosts(connections.size())
                        + ", at most "
                        + connections.values().stream()
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(0) + " to one");
        var slowest = timings.steps().stream()
                .sorted(Comparator.comparing(Timings.Part::took).reversed())
                .limit(SLOWEST)
                .toList();
        if (!slowest.isEmpty()) {
            lines.add(0, "Slowest steps");
            slowest.forEach(step -> lines.add(2, took(step.took()) + step.subject() + ": " + step.what()));
        }
        return lines.toString();
    }

    private static String ansible(List<Event.AnsibleEnded> processes) {
        var startup = processes.stream().map(Event.AnsibleEnded::startup).reduce(Duration.ZERO, Duration::plus);
        return "Ansible: " + count(processes.size(), "process", "processes") + ", "
                + count(processes.stream().mapToInt(each -> each.plays().size()).sum(), "play", "plays") + ", "
                + count(processes.stream().mapToInt(Event.AnsibleEnded::tasks).sum(), "task", "tasks") + ", "
                + count(
                        processes.stream()
                                .mapToInt(Event.AnsibleEnded::connections)
                                .sum(),
                        "SSH connection",
                        "SSH connections")
                + "; " + Elapsed.words(startup) + " until their first plays";
    }

    private static String process(Event.AnsibleEnded ended) {
        var plays = ended.plays();
        return took(ended.took()) + ended.name() + ": " + hosts(ended.hosts()) + ", at most "
                + count(ended.mostToOneHost(), "connection", "connections") + " to one: "
                + String.join(", ", plays.subList(0, Math.min(PLAYS, plays.size())))
                + (plays.size() > PLAYS ? " and " + (plays.size() - PLAYS) + " more" : "");
    }

    private static String took(Duration duration) {
        return String.format("%-10s", Elapsed.words(duration));
    }

    private static String hosts(int count) {
        return count(count, "host", "hosts");
    }

    private static String count(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
