package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;

/** Space on the nodes for temporary files of jobs. */
public record Scratch(
        @Key(
                value =
                        "Each job has a /tmp and a /dev/shm of its own on each of its nodes, empty at its start and deleted"
                                + " at its end.",
                defaultValue = "false",
                impact = ChangeImpact.RESTART)
        boolean perJob,

        @Key(
                value = "The folder of the nodes that holds them: on a fast disk, where there is one.",
                defaultValue = "/var/spool/slurm-scratch",
                example = "/local/slurm",
                pattern = "(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}){2,16}",
                impact = ChangeImpact.RESTART,
                confined = true)
        String folder) {}
