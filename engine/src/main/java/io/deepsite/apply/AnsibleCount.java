package io.deepsite.apply;

import io.deepsite.ansible.AnsibleEvent;
import io.deepsite.ansible.Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts what one process of Ansible does. Used by one thread. */
final class AnsibleCount {
    private final Instant begun = Instant.now();
    private final List<String> plays = new ArrayList<>();
    private Duration startup = Duration.ZERO;
    private int tasks;

    void play(String name) {
        if (plays.isEmpty()) {
            startup = sinceBegin();
        }
        plays.add(name);
    }

    void event(AnsibleEvent event) {
        tasks += event.event().equals("task") ? 1 : 0;
    }

    Event.AnsibleEnded over(String name, int hosts, Path bundle) {
        var connections = connections(bundle);
        return new Event.AnsibleEnded(
                name,
                plays,
                hosts,
                tasks,
                connections.size(),
                connections.stream()
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                        .values()
                        .stream()
                        .mapToInt(Math::toIntExact)
                        .max()
                        .orElse(0),
                startup,
                sinceBegin());
    }

    private Duration sinceBegin() {
        return Duration.between(begun, Instant.now());
    }

    /** The address of the host of each. */
    private static List<String> connections(Path bundle) {
        try {
            return Files.readAllLines(bundle.resolve(Bundle.CONNECTIONS));
        } catch (IOException _) {
            // It opened none.
            return List.of();
        }
    }
}
