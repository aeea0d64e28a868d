package io.deepsite.cluster.mesos;

import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Pause;
import io.deepsite.site.Name;
import io.deepsite.state.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Function;

/** How work gets into a Mesos cluster of a site. */
final class MesosAccess {
    private final SiteAccess site;
    private final Name cluster;
    private final Mesos mesos;
    private final Duration patience;

    /**
     * @param patience how long work is followed
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE
     */
    MesosAccess(SiteAccess site, Name cluster, Duration patience) {
        this.site = site;
        this.cluster = cluster;
        this.mesos = site.cluster(cluster, new MesosKind(), "neither Marathon nor Chronos");
        this.patience = patience;
    }

    /**
     * Does something with the work of the cluster, as its administrator on one of its masters.
     *
     * @throws Failure what connecting throws
     */
    <T> T asAdministrator(Function<MesosRun, T> use) {
        var master = site.machines().stream()
                .filter(machine -> machine.group().equals(mesos.masters()))
                .findFirst()
                .orElseThrow();
        try (var host = site.connect(master.name())) {
            return use.apply(new MesosRun(new MesosByMaster(host), site.clock(), Pause.REAL, patience));
        }
    }

    /**
     * Accesses the cluster through its gateway, with a token of the identity provider.
     *
     * @param authority a file with the certificate by which the door is trusted; a public one's when empty
     * @throws Failure NOT_WITH_KIND
     */
    MesosRun withToken(Secret token, Optional<Path> authority) {
        var oidc = mesos.oidc()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        cluster + " has no gateway for users of an identity provider.",
                        "Add oidc: to the cluster, or omit the token to submit the work on a master.")));
        var agents = new HashMap<String, String>();
        site.machines().stream()
                .filter(machine -> mesos.agents().contains(machine.group()))
                .forEach(machine -> machine.address().ifPresent(address -> agents.put(address, machine.name())));
        var api = new MesosByGateway(oidc.url(), token, authority.map(Trust::of), agents);
        return new MesosRun(api, site.clock(), Pause.REAL, patience);
    }
}
