package io.deepsite.cluster.mesos;

import io.deepsite.cluster.OpenId;
import io.deepsite.diag.Code;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineCount;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.NamedGroup;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What must hold between the keys of a Mesos cluster. */
final class MesosChecks {
    private static final int ALIVE_PORT = 8404;
    /** ZooKeeper, Mesos, the frameworks and their drivers. */
    private static final Set<Integer> PORTS_OF_MASTERS = Set.of(2181, 2888, 3888, 4400, 5050, 8080, 15_101, 15_102);

    private final CheckContext context;
    private final Name name;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Mesos mesos;
    private final String path;

    MesosChecks(CheckContext context, Name name, Mesos mesos) {
        this.context = context;
        this.name = name;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.mesos = mesos;
        this.path = "clusters." + name;
    }

    void run() {
        context.claim("Mesos", name, groups());
        masters();
        roles();
        new MesosSourceChecks(site, places, findings, mesos, path).run();
        vendors();
        for (int i = 0; i < mesos.gpu().offer().size(); i++) {
            offer(mesos.gpu().offer().get(i), path + ".gpu.offer[" + i + "]");
        }
        mesos.marathon().ifPresent(this::ports);
        mesos.oidc().ifPresent(this::oidc);
    }

    private void masters() {
        context.count(masters(name, mesos), path + ".masters");
    }

    public static MachineCount masters(Name name, Mesos mesos) {
        return new MachineCount(
                mesos.masters(),
                MachineCount.Rule.ODD,
                "the masters of the cluster " + name,
                "ZooKeeper and the masters' registry go on while more than half of them answer, so an even number bears no"
                        + " more losses than one machine less.",
                Code.EVEN_MASTERS);
    }

    private void roles() {
        for (int i = 0; i < mesos.agents().size(); i++) {
            if (mesos.agents().get(i).equals(mesos.masters())) {
                findings.faultOnce(
                        Code.GROUP_TWICE,
                        places.of(path + ".agents[" + i + "]"),
                        mesos.masters() + " runs the masters of the same cluster. Tasks of users there could read the"
                                + " passwords of all parts.",
                        "Name another group.");
            }
        }
        balancers();
    }

    private void balancers() {
        for (int i = 0; i < mesos.loadBalancers().size(); i++) {
            var group = mesos.loadBalancers().get(i);
            boolean master = group.equals(mesos.masters());
            if (master || mesos.agents().contains(group)) {
                findings.faultOnce(
                        Code.GROUP_TWICE,
                        places.of(path + ".loadBalancers[" + i + "]"),
                        group + " runs the " + (master ? "masters" : "tasks")
                                + " of the same cluster. A load balancer is what the outside reaches.",
                        "Name another group.");
            }
        }
    }

    /** An agent would offer none of another vendor, without a message. */
    private void vendors() {
        for (int i = 0; i < mesos.agents().size(); i++) {
            var group = site.machines().get(mesos.agents().get(i));
            if (group != null
                    && group.gpus().stream()
                            .anyMatch(gpu -> gpu.vendor()
                                    .filter(vendor -> !vendor.value().equals("nvidia"))
                                    .isPresent())) {
                findings.faultOnce(
                        Code.NO_GPU,
                        places.of(path + ".agents[" + i + "]"),
                        "The machines of " + mesos.agents().get(i)
                                + " have GPUs of another vendor, and agents of Mesos know NVIDIA's alone.",
                        "Name a group with cards of nvidia, or remove gpus: from the group.");
            }
        }
    }

    private void offer(Mesos.Offer offer, String place) {
        if (!mesos.agents().contains(offer.group())) {
            findings.faultOnce(
                    Code.NOT_A_HOST,
                    places.of(place + ".group"),
                    offer.group() + " is not among the cluster's agents: " + Wording.allOf(mesos.agents()) + ".",
                    Wording.didYouMean(
                            offer.group().value(),
                            mesos.agents().stream().map(Name::value).toList(),
                            "Name one of them."));
            return;
        }
        var group = site.machines().get(offer.group());
        if (group == null || findings.isUnsound("machines." + offer.group())) {
            return;
        }
        int cards = group.gpus().stream().mapToInt(GpuRequest::cards).sum();
        if (cards == 0) {
            findings.faultOnce(
                    Code.NO_GPU,
                    places.of(place + ".count"),
                    "The machines of " + offer.group() + " have no GPUs that they could offer.",
                    "Add gpus: to machines." + offer.group() + ", or remove the offer.");
        } else if (offer.count() > cards) {
            findings.faultOnce(
                    Code.WRONG_ORDER,
                    places.of(place + ".count"),
                    "A machine of " + offer.group() + " would offer " + offer.count() + " cards of " + cards + ".",
                    "Offer at most " + cards + ".");
        }
    }

    private void ports(Mesos.Marathon marathon) {
        if (marathon.lastPort() < marathon.firstPort()) {
            findings.faultOnce(
                    Code.WRONG_ORDER,
                    places.of(path + ".marathon.lastPort"),
                    "Services get the ports from " + marathon.firstPort() + " to " + marathon.lastPort()
                            + ", which are none.",
                    "Make lastPort at least " + marathon.firstPort() + ".");
            return;
        }
        // The one by which HAProxy is alive without a service, on loopback.
        if (!mesos.loadBalancers().isEmpty() && isService(ALIVE_PORT)) {
            findings.faultOnce(
                    Code.PORT_TWICE,
                    places.of(path + ".marathon.lastPort"),
                    "Services get the ports from " + marathon.firstPort() + " to " + marathon.lastPort()
                            + " on the load balancers, and HAProxy itself has " + ALIVE_PORT + " there.",
                    "Choose ports that leave it out.");
        }
    }

    private boolean isService(int port) {
        return mesos.marathon()
                .filter(marathon -> marathon.firstPort() <= port && port <= marathon.lastPort())
                .isPresent();
    }

    private void oidc(MesosOidc oidc) {
        String place = path + ".oidc";
        https(place + ".issuer", oidc.issuer());
        https(place + ".jwks", oidc.jwks());
        if (OpenId.isNested(oidc.usernameClaim())) {
            findings.faultOnce(
                    Code.CLAIM_UNREADABLE,
                    places.of(place + ".usernameClaim"),
                    "The proxy takes a user's name from a claim at the top of the token; " + oidc.usernameClaim()
                            + " is inside of "
                            + Wording.quoted(OpenId.keys(oidc.usernameClaim()).getFirst()) + ".",
                    "Name another claim, such as preferred_username; groupsClaim may be a path.");
        }
        if (!mesos.loadBalancers().isEmpty() && isService(oidc.port())) {
            findings.faultOnce(
                    Code.PORT_TWICE,
                    places.of(place + ".url"),
                    "Services of Marathon get port " + oidc.port() + " on the same load balancers, too.",
                    "Choose another port, or other ones under marathon.");
        } else if (mesos.loadBalancers().isEmpty() && PORTS_OF_MASTERS.contains(oidc.port())) {
            findings.faultOnce(
                    Code.PORT_TWICE,
                    places.of(place + ".url"),
                    "Without load balancers it is on the masters, where port " + oidc.port() + " is taken.",
                    "Choose another port, or add loadBalancers.");
        }
    }

    private void https(String place, String address) {
        if (!address.startsWith("https://")) {
            findings.faultOnce(
                    Code.NOT_HTTPS,
                    places.of(place),
                    "The proxy takes the provider's keys from " + Wording.quoted(address)
                            + ", and would trust whoever answers there.",
                    "Write the provider's https URL.");
        }
    }

    /** Names of groups that must exist, by their place. */
    private List<NamedGroup> groups() {
        var groups = new ArrayList<NamedGroup>();
        groups.add(new NamedGroup(mesos.masters(), path + ".masters"));
        groups.addAll(NamedGroup.of(mesos.agents(), path + ".agents"));
        groups.addAll(NamedGroup.of(mesos.loadBalancers(), path + ".loadBalancers"));
        return groups;
    }
}
