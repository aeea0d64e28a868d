package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.ClusterAccess;
import io.deepsite.operations.SiteContext;
import io.deepsite.provider.Pause;
import io.deepsite.site.Name;
import io.deepsite.state.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Function;

/** Access to the Mesos clusters of a site, to run work on them. */
public final class MesosAccess {
    private final SiteContext context;
    private final ClusterAccess clusters;

    public MesosAccess(SiteContext context) {
        this.context = context;
        this.clusters = new ClusterAccess(context);
    }

    /**
     * Runs {@code use} as the administrator of a Mesos cluster, on one of its masters.
     *
     * @param patience how long work is followed
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE, or as connecting
     */
    public <T> T asAdministrator(Name cluster, Duration patience, Function<MesosRun, T> use) {
        var mesos = mesos(cluster);
        var master = clusters.machines().stream()
                .filter(machine -> machine.group().equals(mesos.masters()))
                .findFirst()
                .orElseThrow();
        try (var host = context.remote().open(context.target(master.name()))) {
            return use.apply(
                    new MesosRun(new MesosByMaster(host), context.runtime().clock(), Pause.REAL, patience));
        }
    }

    /**
     * Accesses the cluster through its gateway, with a token of the identity provider.
     *
     * @param authority a file with the certificate that the gateway must have; empty for a public authority
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE
     */
    public MesosRun withToken(Name cluster, Duration patience, Secret token, Optional<Path> authority) {
        var mesos = mesos(cluster);
        var oidc = mesos.oidc()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        cluster + " has no gateway for users of an identity provider.",
                        "Add oidc: to the cluster, or omit the token to submit the work on a master.")));
        var agents = new HashMap<String, String>();
        clusters.machines().stream()
                .filter(machine -> mesos.agents().contains(machine.group()))
                .forEach(machine -> machine.address().ifPresent(address -> agents.put(address, machine.name())));
        var api = new MesosByGateway(oidc.url(), token, authority.map(Trust::of), agents);
        return new MesosRun(api, context.runtime().clock(), Pause.REAL, patience);
    }

    private Mesos mesos(Name cluster) {
        if (clusters.cluster(cluster) instanceof Mesos mesos) {
            return mesos;
        }
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_KIND,
                cluster + " is a cluster of the kind "
                        + clusters.cluster(cluster).kind() + ", which has neither Marathon nor Chronos.",
                "Name a cluster of the kind mesos."));
    }
}
