package io.deepsite.cluster.builtin;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.kubernetes.KubernetesKind;
import io.deepsite.cluster.mesos.MesosKind;
import io.deepsite.cluster.opennebula.OpenNebulaKind;
import io.deepsite.cluster.openstack.LxdHostKind;
import io.deepsite.cluster.openstack.OpenStackKind;
import io.deepsite.cluster.slurm.SlurmKind;
import java.util.List;

/** The kinds of clusters that deepsite ships. */
public final class BuiltInKinds {
    public static final ClusterKinds ALL = new ClusterKinds(List.of(
            new SlurmKind(),
            new KubernetesKind(),
            new OpenNebulaKind(),
            new MesosKind(),
            new LxdHostKind(),
            new OpenStackKind()));

    private BuiltInKinds() {}
}
