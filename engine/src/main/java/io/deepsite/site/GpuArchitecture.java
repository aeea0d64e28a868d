package io.deepsite.site;

import java.util.Optional;

/**
 * A generation of NVIDIA's cards, as gpu-architectures.tsv beside the classes has it, with its sources.
 *
 * @param words its name for a person
 * @param capability the compute capability, or the first and the last one
 * @param firstBranch the oldest driver branch that knows it; empty where no source says
 * @param lastBranch the newest one that still does; empty while that goes on
 * @param modules the kernel modules that drive it
 * @param firstCuda the CUDA toolkit that first builds for it
 * @param lastCuda the last one; empty while that goes on
 */
public record GpuArchitecture(
        String name,
        String words,
        String capability,
        Optional<Integer> firstBranch,
        Optional<Integer> lastBranch,
        Modules modules,
        CudaVersion firstCuda,
        Optional<CudaVersion> lastCuda,
        Mps mps) {

    public enum Modules {
        PROPRIETARY,
        EITHER,
        OPEN
    }

    /** What CUDA's multi-process service is there. */
    public enum Mps {
        NONE,
        /** All processes in one address space, so that a fault of one ends all. */
        SHARED,
        OWN
    }
}
