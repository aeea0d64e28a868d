package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.util.Optional;

/** What one job may ask for. */
public record JobLimits(
        @Key(value = "Processors of one job.", example = "32", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> cpus,

        @Key(value = "Memory of one job, on all of its nodes.", example = "128GiB", impact = ChangeImpact.FILE)
        Optional<Size> memory,

        @Key(value = "GPUs of one job.", example = "2", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> gpus,

        @Key(
                value = "Shares of GPUs of one job, where `gpuSharing` has `shard`; `gpus` does not count them.",
                example = "2",
                impact = ChangeImpact.FILE,
                min = 1)
        Optional<Integer> shards,

        @Key(
                value = "Shares of GPUs of one job, where `gpuSharing` has `mps`; `gpus` does not count them.",
                example = "50",
                impact = ChangeImpact.FILE,
                min = 1)
        Optional<Integer> mps,

        @Key(value = "Nodes of one job.", example = "4", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> nodes,

        @Key(
                value = "Longest job. Slurm counts minutes; a part of one counts as a whole.",
                example = "2d",
                impact = ChangeImpact.FILE)
        Optional<Span> time) {

    /** What it may have of the cluster, in the shape that counts it for accounts and QOS. */
    Limits resources() {
        return new Limits(cpus, memory, gpus, shards, mps, nodes, Optional.empty(), Optional.empty());
    }
}
