package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OneOf;
import java.util.Optional;

/** How jobs share each card of a compute group. A job that asks for a whole card still gets one. */
@OneOf(
        value = {"shard", "mps"},
        why = "Slurm counts the shares of each kind for itself, and would give one card to both.",
        both = Code.GPU_SHARING)
public record GpuSharing(
        @Key(
                value =
                        "Shares of each card, for jobs that ask for `shard`. Slurm only counts them: nothing keeps a job to its"
                                + " part of the card.",
                example = "4",
                min = 2,
                max = 64,
                impact = ChangeImpact.RESTART)
        Optional<Integer> shard,

        @Key(
                value =
                        "Shares of each card, for jobs that ask for `mps`: they share it by CUDA MPS, and each gets its part of"
                                + " the threads. With 100, a share is a percent.",
                example = "100",
                min = 2,
                max = 400,
                impact = ChangeImpact.RESTART)
        Optional<Integer> mps) {

    /** As Slurm calls it. */
    String kind() {
        return mps.isPresent() ? "mps" : "shard";
    }

    int shares() {
        return mps.or(() -> shard).orElseThrow();
    }
}
