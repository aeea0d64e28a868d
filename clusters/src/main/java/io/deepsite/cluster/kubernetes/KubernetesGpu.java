package io.deepsite.cluster.kubernetes;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import java.util.Optional;

/** How the cluster offers the GPUs of its machines. */
public record KubernetesGpu(
        @Key(
                value = "NVIDIA's device plugin; the tag is its release.",
                defaultValue = "nvcr.io/nvidia/k8s-device-plugin:v0.17.0",
                impact = ChangeImpact.RESTART)
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
                impact = ChangeImpact.RESTART)
        Optional<Integer> mps) {}
