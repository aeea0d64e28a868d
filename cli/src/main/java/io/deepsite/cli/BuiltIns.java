package io.deepsite.cli;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.kubernetes.KubernetesKind;
import io.deepsite.cluster.mesos.MesosKind;
import io.deepsite.cluster.opennebula.OpenNebulaKind;
import io.deepsite.cluster.openstack.LxdHostKind;
import io.deepsite.cluster.openstack.OpenStackKind;
import io.deepsite.cluster.slurm.SlurmKind;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.lxd.IncusProviderFactory;
import io.deepsite.lxd.LxdProviderFactory;
import io.deepsite.opennebula.OpenNebulaProviderFactory;
import io.deepsite.openstack.OpenStackProviderFactory;
import io.deepsite.postgresql.PostgresStores;
import io.deepsite.state.FileStores;
import io.deepsite.state.SiteStores;
import io.deepsite.statics.StaticProviderFactory;
import java.util.List;
import java.util.Map;

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
                    new IncusProviderFactory(),
                    new OpenStackProviderFactory(),
                    new OpenNebulaProviderFactory(),
                    new StaticProviderFactory()));

    private BuiltIns() {}

    /**
     * Opens the records of sites.
     *
     * @param url empty: files beside each site.yaml
     * @throws Failure STORE_UNKNOWN
     */
    static SiteStores.Factory stores(String url, Map<String, String> environment) {
        if (url.isEmpty()) {
            return FileStores::new;
        }
        if (PostgresStores.isUrl(url)) {
            return PostgresStores.at(url, environment);
        }
        throw new Failure(Diagnostic.error(
                Code.STORE_UNKNOWN,
                "Records of sites are in files, or in a PostgreSQL database; this URL is of neither.",
                "Write postgresql://USER@HOST/DATABASE, or leave it out."));
    }
}
