package io.deepsite.cluster;

import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Kubernetes;
import io.deepsite.site.LxdHost;
import io.deepsite.site.Mesos;
import io.deepsite.site.Name;
import io.deepsite.site.OpenNebula;
import io.deepsite.site.OpenStackCloud;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The blueprint of each kind; the compiler finds a kind that has none. */
public final class Blueprints {
    /** Under this name an action keeps what no later apply can change, by the key of the cluster in site.yaml. */
    public static final String MADE_WITH = "made_with";

    private static final SlurmBlueprint SLURM = new SlurmBlueprint();
    private static final KubernetesBlueprint KUBERNETES = new KubernetesBlueprint();
    private static final OpenNebulaBlueprint OPENNEBULA = new OpenNebulaBlueprint();
    private static final MesosBlueprint MESOS = new MesosBlueprint();
    private static final OpenStackBlueprint OPENSTACK = new OpenStackBlueprint();
    private static final LxdHostBlueprint LXD_HOST = new LxdHostBlueprint();

    private Blueprints() {}

    static Requirements requirements(Site site, Name name, Cluster cluster) {
        return switch (cluster) {
            case Cluster.Slurm slurm -> SLURM.requirements(site, name, slurm);
            case Kubernetes kubernetes -> KUBERNETES.requirements(site, name, kubernetes);
            case OpenNebula cloud -> OPENNEBULA.requirements(site, name, cloud);
            case OpenStackCloud cloud -> OPENSTACK.requirements(site, name, cloud);
            case LxdHost host -> LXD_HOST.requirements(site, name, host);
            case Mesos mesos -> MESOS.requirements(site, name, mesos);
        };
    }

    static List<Stage> stages(Site site, Name name, Cluster cluster, List<Machine> machines) {
        return switch (cluster) {
            case Cluster.Slurm slurm -> SLURM.stages(site, name, slurm, machines);
            case Kubernetes kubernetes -> KUBERNETES.stages(site, name, kubernetes, machines);
            case OpenNebula cloud -> OPENNEBULA.stages(site, name, cloud, machines);
            case OpenStackCloud cloud -> OPENSTACK.stages(site, name, cloud, machines);
            case LxdHost host -> LXD_HOST.stages(site, name, host, machines);
            case Mesos mesos -> MESOS.stages(site, name, mesos, machines);
        };
    }

    static List<Acceptance> acceptance(Site site, Name name, Cluster cluster, List<Machine> machines) {
        return switch (cluster) {
            case Cluster.Slurm slurm -> SLURM.acceptance(site, name, slurm, machines);
            case Kubernetes kubernetes -> KUBERNETES.acceptance(site, name, kubernetes, machines);
            case OpenNebula cloud -> OPENNEBULA.acceptance(site, name, cloud, machines);
            case OpenStackCloud cloud -> OPENSTACK.acceptance(site, name, cloud, machines);
            case LxdHost host -> LXD_HOST.acceptance(site, name, host, machines);
            case Mesos mesos -> MESOS.acceptance(site, name, mesos, machines);
        };
    }

    /** What cannot be changed while the cluster stands, by its key in site.yaml; an action keeps it as {@link #MADE_WITH}. */
    public static SortedMap<String, String> madeWith(Cluster cluster) {
        return switch (cluster) {
            case Cluster.Slurm _ -> new TreeMap<>();
            case Kubernetes kubernetes -> KubernetesLayout.madeWith(kubernetes);
            case OpenNebula cloud -> OpenNebulaLayout.madeWith(cloud);
            case Mesos _, LxdHost _, OpenStackCloud _ -> new TreeMap<>();
        };
    }

    /** How a command of a user is run through the cluster's scheduler. */
    public static Blueprint.FrontDoor frontDoor(
            Site site, Name name, Cluster cluster, List<Machine> machines, Optional<Name> user) {
        return switch (cluster) {
            case Cluster.Slurm slurm -> SLURM.frontDoor(site, name, slurm, machines, user);
            case Kubernetes kubernetes -> KUBERNETES.frontDoor(site, name, kubernetes, machines, user);
            case OpenNebula cloud -> OPENNEBULA.frontDoor(site, name, cloud, machines, user);
            case OpenStackCloud cloud -> OPENSTACK.frontDoor(site, name, cloud, machines, user);
            case LxdHost host -> LXD_HOST.frontDoor(site, name, host, machines, user);
            case Mesos mesos -> MESOS.frontDoor(site, name, mesos, machines, user);
        };
    }

    /** What prints a kubeconfig on which machine; empty for a kind of cluster that has none. */
    public static Optional<Blueprint.FrontDoor> kubeconfig(
            Site site, Name name, Cluster cluster, List<Machine> machines, Optional<Name> user, boolean oidc) {
        return switch (cluster) {
            case Cluster.Slurm _, OpenNebula _, Mesos _, LxdHost _, OpenStackCloud _ -> Optional.empty();
            case Kubernetes kubernetes ->
                Optional.of(KUBERNETES.kubeconfig(site, name, kubernetes, machines, user, oidc));
        };
    }
}
