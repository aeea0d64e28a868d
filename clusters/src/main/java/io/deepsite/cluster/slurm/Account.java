package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Directory;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;

/** An account of the tree below Slurm's {@code root}. Limits are those of all accounts above it as well. */
public record Account(
        @Key(
                value = "The account above it; without one it is at the top.",
                example = "science",
                impact = ChangeImpact.FILE)
        Optional<Name> parent,

        @Key(
                value =
                        "Users of the site whose jobs it counts. A user's first account in the file is the default one.",
                example = "[alice]",
                impact = ChangeImpact.FILE)
        List<Name> users,

        @Key(
                value = "Groups of the site's users; all members of them are users of it.",
                example = "[physics]",
                impact = ChangeImpact.FILE)
        List<Name> groups,

        @Key(
                value =
                        "Groups of the directory, of those that it allows; the controller looks up who is in them at each apply,"
                                + " and every quarter of an hour.",
                example = "[physics]",
                pattern = Directory.GROUP,
                impact = ChangeImpact.FILE)
        List<String> directoryGroups,

        @Key(
                value = "Its part of the cluster, beside the accounts with the same parent.",
                defaultValue = "1",
                example = "20",
                impact = ChangeImpact.FILE,
                min = 1,
                max = 1_000_000)
        int fairShare,

        @Key(
                value =
                        "QOS that its users may name; a job that names none gets the first. Without any it is `normal`, or what"
                                + " the account above has.",
                example = "[normal, long]",
                impact = ChangeImpact.FILE)
        List<Name> qos,

        @Key(
                value = "Limits of all its users together, those of the accounts below it included.",
                impact = ChangeImpact.FILE)
        Limits total,

        @Key(value = "Limits of each of its users in it.", impact = ChangeImpact.FILE)
        Limits perUser,

        @Key(value = "Limits of each job.", impact = ChangeImpact.FILE)
        JobLimits perJob) {
    public Account {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
        directoryGroups = List.copyOf(directoryGroups);
        qos = List.copyOf(qos);
    }
}
