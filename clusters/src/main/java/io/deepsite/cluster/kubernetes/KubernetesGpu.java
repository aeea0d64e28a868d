package io.deepsite.cluster.kubernetes;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import java.util.Optional;

/** How the cluster offers the GPUs of its machines. */
public record KubernetesGpu(
        @Key(
                value = "NVIDIA's device plugin; the tag is its release.",
                defaultValue = "nvcr.io/nvidia/k8s-device-plugin:v0.17.0",
                impact = ChangeImpact.RESTART,
                confined = true)
        ContainerImage image,

        @Key(
                value = "How cards that are split (MIG) are offered.",
                defaultValue = "none",
                choices = {"none", "single", "mixed"},
                impact = ChangeImpact.RESTART)
        String mig,

        @Key(
                value = "How many pods share one card at a time, taking turns.",
                example = "4",
                min = 2,
                max = 64,
                impact = ChangeImpact.RESTART)
        Optional<Integer> timeSlicing,

        @Key(
                value = "How many pods share one card by CUDA MPS.",
                example = "4",
                min = 2,
                max = 64,
                excludes = {
                    @OtherKeys(
                            value = "timeSlicing",
                            why = "NVIDIA's device plugin shares cards in one of the two ways.",
                            code = Code.GPU_SHARING),
                    @OtherKeys(
                            value = {"mig=single", "mig=mixed"},
                            why = "NVIDIA's device plugin does not offer the parts of a split card by MPS.",
                            fix = "Remove mps, or write mig: none.",
                            code = Code.GPU_SHARING)
                },
                impact = ChangeImpact.RESTART)
        Optional<Integer> mps) {}
