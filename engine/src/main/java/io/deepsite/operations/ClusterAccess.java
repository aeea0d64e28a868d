package io.deepsite.operations;

import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How people get into the clusters of a site. */
public final class ClusterAccess {
    private final SiteContext context;

    public ClusterAccess(SiteContext context) {
        this.context = context;
    }

    /**
     * How a command is run through a cluster's scheduler.
     *
     * @throws Failure UNKNOWN_STAGE
     */
    public ClusterKind.CommandPrefix run(Name cluster, Optional<Name> user) {
        return known(cluster).commandPrefix(machines(), user);
    }

    /**
     * What prints a kubeconfig of a cluster, and on which host.
     *
     * @param user who gets a new client certificate; the administrator's own when empty
     * @param oidc one without a secret, for a login at the identity provider
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE
     */
    public ClusterKind.CommandPrefix kubeconfig(Name cluster, Optional<Name> user, boolean oidc) {
        return known(cluster)
                .kubeconfig(machines(), user, oidc)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        cluster + " is a cluster of the kind "
                                + cluster(cluster).kind() + ", which has no kubeconfig.",
                        "Name a cluster of the kind kubernetes.")));
    }

    private ClusterKinds.Known known(Name name) {
        return context.runtime().kinds().of(context.site(), name, cluster(name));
    }

    /** The machines of the site, as its provider knows them now. */
    public List<Machine> machines() {
        return context.survey(context.state())
                .compile(context.site(), context.stages().requirements())
                .machines();
    }

    /** @throws Failure UNKNOWN_STAGE when the site has no such cluster */
    public Cluster cluster(Name cluster) {
        var clusters = context.site().clusters();
        var wanted = clusters.get(cluster);
        if (wanted == null) {
            throw new Failure(Diagnostic.error(
                    Code.UNKNOWN_STAGE,
                    "The site has no cluster \"" + cluster + "\"; it has: "
                            + clusters.keySet().stream().map(Name::value).collect(Collectors.joining(", "))
                            + ".",
                    "Choose one of them."));
        }
        return wanted;
    }
}
