package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Size;
import java.util.Optional;

/** What jobs may have together. */
public record Limits(
        @Key(value = "Processors of the jobs that run.", example = "64", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> cpus,

        @Key(value = "Memory of the jobs that run.", example = "256GiB", impact = ChangeImpact.FILE)
        Optional<Size> memory,

        @Key(value = "GPUs of the jobs that run.", example = "4", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> gpus,

        @Key(
                value =
                        "Shares of GPUs of the jobs that run, where `gpuSharing` has `shard`; `gpus` does not count them.",
                example = "8",
                impact = ChangeImpact.FILE,
                min = 1)
        Optional<Integer> shards,

        @Key(
                value =
                        "Shares of GPUs of the jobs that run, where `gpuSharing` has `mps`; `gpus` does not count them.",
                example = "200",
                impact = ChangeImpact.FILE,
                min = 1)
        Optional<Integer> mps,

        @Key(value = "Nodes of the jobs that run.", example = "8", impact = ChangeImpact.FILE, min = 1)
        Optional<Integer> nodes,

        @Key(
                value = "Jobs that run at the same time; further ones wait.",
                example = "20",
                impact = ChangeImpact.FILE,
                min = 1)
        Optional<Integer> jobs,

        @Key(
                value = "Jobs that run or wait; further ones are refused.",
                example = "200",
                impact = ChangeImpact.FILE,
                min = 1)
        Optional<Integer> submittedJobs) {}
