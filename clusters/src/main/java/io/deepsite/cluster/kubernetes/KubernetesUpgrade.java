package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.ClusterKind.Refusal;
import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;

/** Which releases a cluster may move to: a patch release, or the next minor one, never an older one. */
final class KubernetesUpgrade {
    private KubernetesUpgrade() {}

    static Optional<Refusal> refusal(Name name, KubernetesVersion made, KubernetesVersion asked) {
        if (asked.compareTo(made) < 0) {
            return Optional.of(new Refusal(
                    Code.KUBERNETES_BACK,
                    "The cluster " + name + " runs Kubernetes " + made + ", and site.yaml says " + asked
                            + ". Kubernetes does not go back to an older release: etcd may hold what it cannot read."
                            + " Nothing was changed.",
                    "Write " + made + " again.",
                    List.of()));
        }
        int next = made.minor() + 1;
        if (asked.minor() > next) {
            return Optional.of(new Refusal(
                    Code.KUBERNETES_JUMP,
                    "The cluster " + name + " runs Kubernetes " + made + ", and site.yaml says " + asked
                            + ". kubeadm moves a cluster by one minor release at a time. Nothing was changed.",
                    "Write a release of 1." + next + " and apply it first: 1." + next
                            + ".0, or better its newest patch release.",
                    List.of()));
        }
        return Optional.empty();
    }
}
