package io.deepsite.session;

import io.deepsite.cluster.Blueprint;
import io.deepsite.cluster.Blueprints;
import io.deepsite.cluster.SiteStages;
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
public final class FrontDoors {
    private final SiteSession session;

    public FrontDoors(SiteSession session) {
        this.session = session;
    }

    /**
     * How a command is run through a cluster's scheduler.
     *
     * @throws Failure UNKNOWN_STAGE
     */
    public Blueprint.FrontDoor run(Name cluster, Optional<Name> user) {
        var wanted = cluster(cluster);
        return Blueprints.frontDoor(session.site(), cluster, wanted, machines(), user);
    }

    /**
     * What prints a kubeconfig of a cluster, and on which host.
     *
     * @param user who gets a new client certificate; the administrator's own when empty
     * @param oidc one without a secret, for a login at the identity provider
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE
     */
    public Blueprint.FrontDoor kubeconfig(Name cluster, Optional<Name> user, boolean oidc) {
        var wanted = cluster(cluster);
        return Blueprints.kubeconfig(session.site(), cluster, wanted, machines(), user, oidc)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        cluster + " is a cluster of the kind " + wanted.kind() + ", which has no kubeconfig.",
                        "Name a cluster of the kind kubernetes.")));
    }

    private List<Machine> machines() {
        return session.survey()
                .compile(session.site(), SiteStages.requirements(session.site()))
                .machines();
    }

    private Cluster cluster(Name cluster) {
        var clusters = session.site().clusters();
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
