package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Moment;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import java.util.List;
import java.util.Optional;

/** Nodes that are kept free at a time, for jobs that name it: {@code sbatch --reservation}. */
public record Reservation(
        @Key(
                value = "When it starts first, with the offset from UTC.",
                example = "2026-12-01T08:00Z",
                impact = ChangeImpact.FILE,
                confined = true)
        Moment start,

        @Key(value = "How long it lasts.", example = "4h", impact = ChangeImpact.FILE, confined = true)
        Span duration,

        @Key(
                value = "It comes back at the same hour of the controller's clock.",
                choices = {"daily", "weekday", "weekend", "weekly"},
                impact = ChangeImpact.FILE)
        Optional<String> repeats,

        @Key(
                value = "Machine groups whose nodes it takes; all compute groups when left out.",
                impact = ChangeImpact.FILE)
        List<Name> groups,

        @Key(value = "So many of these nodes, the first ones; all when left out.", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> nodes,

        @Key(value = "Users of the site whose jobs may use it.", example = "[alice]", impact = ChangeImpact.FILE)
        List<Name> users,

        @Key(value = "Accounts whose jobs may use it.", example = "[physics]", impact = ChangeImpact.FILE)
        List<Name> accounts,

        @Key(
                value =
                        "For work on the nodes: nobody's jobs run, those that still run do not put it off, and reports show"
                                + " the time as planned.",
                defaultValue = "false",
                impact = ChangeImpact.FILE)
        boolean maintenance) {
    public Reservation {
        groups = List.copyOf(groups);
        users = List.copyOf(users);
        accounts = List.copyOf(accounts);
    }
}
