package io.deepsite.operations;

import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.SiteAccess;
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
import java.util.Optional;
import java.util.stream.Collectors;

/** How people get into the clusters of a site. */
public final class ClusterAccess implements SiteAccess {
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
        var wanted = cluster(cluster);
        return context.runtime().kinds().of(site(), cluster, wanted).commandPrefix(machines(), user);
    }

    @Override
    public Site site() {
        return context.site();
    }

    @Override
    public List<Machine> machines() {
        return context.compile(context.survey(context.state())).machines();
    }

    @Override
    public InstantSource clock() {
        return context.runtime().clock();
    }

    @Override
    public RemoteHost connect(String machine) {
        return context.remote().open(context.target(machine));
    }

    @Override
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
