package io.deepsite.apply;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;
import java.util.List;

/** An event of a run in progress; views and the run's log subscribe. Holds no secret. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Phase.class, name = "phase"),
    @JsonSubTypes.Type(value = Event.Started.class, name = "started"),
    @JsonSubTypes.Type(value = Event.Progress.class, name = "progress"),
    @JsonSubTypes.Type(value = Event.Ended.class, name = "ended"),
    @JsonSubTypes.Type(value = Event.AnsibleEnded.class, name = "ansible"),
    @JsonSubTypes.Type(value = Event.Check.class, name = "check"),
    @JsonSubTypes.Type(value = Event.Notice.class, name = "notice")
})
public sealed interface Event {
    /** Machines, Configuration, Removal, Verify: headings on the screen. */
    record Phase(String name, int steps) implements Event {}

    /** @param subject the host or resource of the step */
    record Started(String step, String subject, String what) implements Event {}

    record Progress(String step, String subject, String text) implements Event {}

    record Ended(String step, String subject, StepOutcome outcome, String message, Duration took) implements Event {}

    /**
     * A process of Ansible has ended.
     *
     * @param name of its log
     * @param plays that it began, in order
     * @param tasks that it began, each on one or more hosts
     * @param connections SSH connections that it opened
     * @param mostToOneHost of these connections
     * @param startup until its first play began
     */
    record AnsibleEnded(
            String name,
            List<String> plays,
            int hosts,
            int tasks,
            int connections,
            int mostToOneHost,
            Duration startup,
            Duration took)
            implements Event {
        public AnsibleEnded {
            plays = List.copyOf(plays);
        }
    }

    /** One acceptance check. */
    record Check(String cluster, String id, String outcome, String node, String message) implements Event {}

    record Notice(String text) implements Event {}

    enum StepOutcome {
        DONE,
        FAILED,
        /** Not tried, because a step it needs failed. */
        BLOCKED,
        CANCELLED
    }
}
