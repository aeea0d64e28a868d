package io.deepsite.cluster;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.remote.RemoteHost;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.time.InstantSource;
import java.util.List;

/** The site of a command, opened: its clusters, its machines and the way to them. */
public interface SiteAccess {
    Site site();

    /** As the provider of the site knows them now. */
    List<Machine> machines();

    InstantSource clock();

    /**
     * Connects to a machine as it was reached at its last apply.
     *
     * @throws Failure when the site was not applied, or the machine does not answer
     */
    RemoteHost connect(String machine);

    /** @throws Failure UNKNOWN_STAGE when the site has no such cluster */
    Cluster cluster(Name name);

    /**
     * A cluster of one kind.
     *
     * @param missing what the other kinds do not have, as the end of a sentence: no kubeconfig
     * @throws Failure UNKNOWN_STAGE, NOT_WITH_KIND
     */
    default <C extends Cluster> C cluster(Name name, ClusterKind<C> kind, String missing) {
        var cluster = cluster(name);
        if (!kind.model().isInstance(cluster)) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_WITH_KIND,
                    name + " is a cluster of the kind " + cluster.kind() + ", which has " + missing + ".",
                    "Name a cluster of the kind " + kind.name() + "."));
        }
        return kind.model().cast(cluster);
    }
}
