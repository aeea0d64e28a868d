package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The events of a small run, each with the second at which it comes. */
final class SampleRun {
    static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");
    static final Map<String, Integer> PLANNED =
            new TreeMap<>(Map.of("pool/nova", 1, "head", 3, "node-1", 2, "node-2", 2));

    record Timed(int second, Event event) {}

    private SampleRun() {}

    static List<Timed> events() {
        return List.of(
                new Timed(0, new Event.Phase("Machines", 4)),
                new Timed(0, new Event.Started("resource:pool/nova", "pool/nova", "create")),
                new Timed(2, ended("resource:pool/nova", "pool/nova", Event.StepOutcome.DONE, "", 2)),
                new Timed(2, new Event.Started("resource:instance/head", "head", "create")),
                new Timed(2, new Event.Started("resource:instance/node-1", "node-1", "create")),
                new Timed(5, new Event.Progress("resource:instance/head", "head", "rootfs: 42 %")),
                new Timed(20, new Event.Progress("resource:instance/head", "head", "waiting for SSH")),
                new Timed(21, ended("resource:instance/head", "head", Event.StepOutcome.DONE, "", 19)),
                new Timed(23, ended("resource:instance/node-1", "node-1", Event.StepOutcome.DONE, "", 21)),
                new Timed(
                        24, ended("resource:instance/node-2", "node-2", Event.StepOutcome.FAILED, "no space left", 1)),
                new Timed(24, new Event.Phase("Configuration", 4)),
                new Timed(24, new Event.Started("hpc.munge@head", "head", "munge")),
                new Timed(24, new Event.Started("hpc.munge@node-1", "node-1", "munge")),
                new Timed(26, new Event.Progress("hpc.munge@head", "head", "package munge")),
                new Timed(27, ended("hpc.munge@node-2", "node-2", Event.StepOutcome.BLOCKED, "", 0)),
                new Timed(30, ended("hpc.munge@node-1", "node-1", Event.StepOutcome.DONE, "", 6)),
                new Timed(31, new Event.Notice("Log in: ssh root@10.0.0.2")));
    }

    static List<Timed> verification() {
        return List.of(
                new Timed(40, ended("hpc.munge@head", "head", Event.StepOutcome.DONE, "", 16)),
                new Timed(40, new Event.Phase("Verify", 0)),
                new Timed(42, new Event.Check("hpc", "srun", "passed", "node-1", "")),
                new Timed(43, new Event.Check("hpc", "srun", "busy", "node-2", "job 7 of alice runs")),
                new Timed(44, new Event.Check("hpc", "sacct", "failed", "", "no record of job 8")));
    }

    private static Event ended(String step, String subject, Event.StepOutcome outcome, String message, int seconds) {
        return new Event.Ended(step, subject, outcome, message, Duration.ofSeconds(seconds));
    }
}
