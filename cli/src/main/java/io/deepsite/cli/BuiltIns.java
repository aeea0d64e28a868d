package io.deepsite.cli;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.kubernetes.KubernetesKind;
import io.deepsite.cluster.mesos.MesosKind;
import io.deepsite.cluster.opennebula.OpenNebulaKind;
import io.deepsite.cluster.openstack.LxdHostKind;
import io.deepsite.cluster.openstack.OpenStackKind;
import io.deepsite.cluster.slurm.SlurmKind;
import io.deepsite.lxd.LxdProviderFactory;
import io.deepsite.opennebula.OpenNebulaProviderFactory;
import io.deepsite.openstack.OpenStackProviderFactory;
import io.deepsite.statics.StaticProviderFactory;
import java.util.List;

/** The kinds of clusters and the providers that deepsite ships: the one list of them. */
final class BuiltIns {
    /** In the order in which texts name them. */
    static final ClusterKinds ALL = new ClusterKinds(
            List.of(
                    new SlurmKind(),
                    new KubernetesKind(),
                    new OpenNebulaKind(),
                    new MesosKind(),
                    new LxdHostKind(),
                    new OpenStackKind()),
            List.of(
                    new LxdProviderFactory(),
                    new OpenStackProviderFactory(),
                    new OpenNebulaProviderFactory(),
                    new StaticProviderFactory()));

    private BuiltIns() {}
}
