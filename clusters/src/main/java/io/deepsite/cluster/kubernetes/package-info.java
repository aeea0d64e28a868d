/**
 * Kubernetes made by kubeadm, with GPUs: its keys in site.yaml, their check, its stages, its acceptance.
 * Must not know another kind of cluster, nor any provider.
 * Start at {@link KubernetesKind}.
 */
@NullMarked
package io.deepsite.cluster.kubernetes;

import org.jspecify.annotations.NullMarked;
