package io.deepsite.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** When a machine that could not be made is tried again: after half a minute, then twice as long each time, up to a quarter hour. */
final class ElasticBackoff {
    static final Duration FIRST = Duration.ofSeconds(30);
    static final Duration LONGEST = Duration.ofMinutes(15);

    private record Failed(Duration pause, Instant until) {}

    private final Map<String, Failed> failed = new HashMap<>();

    /** It could not be made. */
    void failed(String machine, Instant now) {
        failed.compute(machine, (_, before) -> {
            var pause = before == null ? FIRST : least(before.pause().multipliedBy(2));
            return new Failed(pause, now.plus(pause));
        });
    }

    /** The controller says that it failed; one that this process does not know of failed under another. */
    void reported(String machine, Instant now) {
        failed.computeIfAbsent(machine, _ -> new Failed(FIRST, now.plus(FIRST)));
    }

    void made(String machine) {
        failed.remove(machine);
    }

    boolean waits(String machine, Instant now) {
        var pause = failed.get(machine);
        return pause != null && now.isBefore(pause.until());
    }

    /** Those of these whose pause is over. */
    SortedSet<String> over(SortedSet<String> machines, Instant now) {
        var over = new TreeSet<String>();
        machines.stream().filter(machine -> !waits(machine, now)).forEach(over::add);
        return over;
    }

    private static Duration least(Duration pause) {
        return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }
}
