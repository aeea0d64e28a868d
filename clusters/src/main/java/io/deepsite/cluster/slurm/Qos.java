package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import java.util.List;
import java.util.Optional;

/** A quality of service, which a job names. Where it has a limit, it counts instead of the account's. */
public record Qos(
        @Key(
                value = "Jobs of a higher one start earlier, as far as `priority.qos` weighs it.",
                defaultValue = "0",
                example = "100",
                impact = ChangeImpact.FILE,
                min = 0,
                max = 1_000_000_000)
        int priority,

        @Key(
                value = "QOS whose running jobs make way for its jobs.",
                example = "[scavenger]",
                impact = ChangeImpact.FILE)
        List<Name> preempts,

        @Key(
                value = "Time between the signal and the end of a job of it that makes way.",
                example = "2m",
                impact = ChangeImpact.FILE)
        Optional<Span> graceTime,

        @Key(value = "Limits of all jobs of it together.", impact = ChangeImpact.FILE)
        Limits total,

        @Key(value = "Limits of each user, in all accounts.", impact = ChangeImpact.FILE)
        Limits perUser,

        @Key(value = "Limits of each account.", impact = ChangeImpact.FILE)
        Limits perAccount,

        @Key(value = "Limits of each job.", impact = ChangeImpact.FILE)
        JobLimits perJob) {
    public Qos {
        preempts = List.copyOf(preempts);
    }
}
