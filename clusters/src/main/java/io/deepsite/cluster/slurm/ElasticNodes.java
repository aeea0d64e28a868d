package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Span;

/** Nodes of a compute group that exist only while jobs need them. */
public record ElasticNodes(
        @Key(
                value = "Most nodes of the group. As many as the group's `count` are always there.",
                example = "8",
                impact = ChangeImpact.RESTART,
                min = 1,
                max = 10_000)
        int max,

        @Key(
                value = "Time without a job after which a node is removed.",
                defaultValue = "10m",
                example = "30m",
                impact = ChangeImpact.RESTART,
                confined = true)
        Span idle) {}
