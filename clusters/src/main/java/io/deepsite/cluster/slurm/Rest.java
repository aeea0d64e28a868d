package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;

/** Slurm's REST interface. */
public record Rest(
        @Key(
                value =
                        "Users make tokens for themselves with `scontrol token`. Without it only `deepsite token` makes some.",
                defaultValue = "true",
                impact = ChangeImpact.RESTART)
        boolean ownTokens) {}
