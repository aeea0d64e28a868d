package io.deepsite.session;

import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Pause;
import io.deepsite.site.Cluster;
import io.deepsite.site.Mesos;
import io.deepsite.site.Name;
import io.deepsite.state.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
    public ClusterKind.FrontDoor run(Name cluster, Optional<Name> user) {
        return known(cluster).frontDoor(machines(), user);
    }

    /**
     * What prints a kubeconfig of a cluster, and on which host.
     *
     * @param user who gets a new client certificate; the administrator's own when empty
     * @param oidc one without a secret, for a login at the identity provider
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE
     */
    public ClusterKind.FrontDoor kubeconfig(Name cluster, Optional<Name> user, boolean oidc) {
        return known(cluster)
                .kubeconfig(machines(), user, oidc)
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        cluster + " is a cluster of the kind "
                                + cluster(cluster).kind() + ", which has no kubeconfig.",
                        "Name a cluster of the kind kubernetes.")));
    }

    /**
     * Does something with the work of a Mesos cluster, as its administrator on one of its masters.
     *
     * @param patience how long work is followed
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE, or what connecting throws
     */
    public <T> T mesos(Name cluster, Duration patience, Function<MesosRun, T> use) {
        var mesos = mesos(cluster);
        var master = machines().stream()
                .filter(machine -> machine.group().equals(mesos.masters()))
                .findFirst()
                .orElseThrow();
        try (var host = session.remote().open(session.target(master.name()))) {
            return use.apply(
                    new MesosRun(new MesosByMaster(host), session.surroundings().clock(), Pause.REAL, patience));
        }
    }

    /**
     * The same through the cluster's front door, with a token of the identity provider.
     *
     * @param authority a file with the certificate by which the door is trusted; a public one's when empty
     * @throws Failure NOT_WITH_KIND, UNKNOWN_STAGE
     */
    public MesosRun mesos(Name cluster, Duration patience, Secret token, Optional<Path> authority) {
        var mesos = mesos(cluster);
        var oidc = mesos.oidc()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        cluster + " has no front door for users of an identity provider.",
                        "Add oidc: to the cluster, or leave the token out: then the work is given on a master.")));
        var agents = new HashMap<String, String>();
        machines().stream()
                .filter(machine -> mesos.agents().contains(machine.group()))
                .forEach(machine -> machine.address().ifPresent(address -> agents.put(address, machine.name())));
        var api = new MesosByDoor(oidc.url(), token, authority.map(Trust::of), agents);
        return new MesosRun(api, session.surroundings().clock(), Pause.REAL, patience);
    }

    private Mesos mesos(Name cluster) {
        if (cluster(cluster) instanceof Mesos mesos) {
            return mesos;
        }
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_KIND,
                cluster + " is a cluster of the kind " + cluster(cluster).kind()
                        + ", which has neither Marathon nor Chronos.",
                "Name a cluster of the kind mesos."));
    }

    private ClusterKinds.Known known(Name name) {
        return session.surroundings().kinds().of(session.site(), name, cluster(name));
    }

    private List<Machine> machines() {
        return session.survey(session.state())
                .compile(session.site(), session.stages().requirements())
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
