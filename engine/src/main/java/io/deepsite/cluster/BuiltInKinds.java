package io.deepsite.cluster;

import java.util.List;

/** The kinds of clusters that deepsite brings along. */
public final class BuiltInKinds {
    public static final ClusterKinds ALL = new ClusterKinds(List.of(
            new SlurmBlueprint(),
            new KubernetesBlueprint(),
            new OpenNebulaBlueprint(),
            new MesosBlueprint(),
            new LxdHostBlueprint(),
            new OpenStackBlueprint()));

    private BuiltInKinds() {}
}
