package io.deepsite.cluster.kubernetes;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import java.util.List;

/** Images of acceptance pods. */
public record KubernetesAcceptance(
        @Key(
                value = "An image with sh, httpd and nc, such as busybox.",
                defaultValue = "docker.io/library/busybox:1.36",
                impact = ChangeImpact.NOTHING,
                confined = true)
        ContainerImage image,

        @Key(
                value = "Images whose own command adds vectors on one GPU; each runs at the same time as the others, so"
                        + " name two of different CUDA releases. One of NVIDIA's by default.",
                example = "[\"nvcr.io/nvidia/k8s/cuda-sample:vectoradd-cuda12.5.0\"]",
                confined = true)
        List<ContainerImage> cuda) {
    public KubernetesAcceptance {
        cuda = List.copyOf(cuda);
    }
}
