package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.OpenId;
import io.deepsite.diag.Code;
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
import java.util.regex.Pattern;

/** What must hold between the keys of a Kubernetes cluster. */
final class KubernetesChecks {
    /** Pods of one node, where deepsite or kubeadm gives ranges out. */
    private static final int NODE_PREFIX = 24;

    private static final int LAST_WITH_DOCKER = 23;

    private static final Pattern KEYCLOAK = Pattern.compile("(realm_access|resource_access\\.[^./]+)\\.roles");

    private final CheckContext context;
    private final Name name;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Kubernetes cluster;
    private final String path;

    KubernetesChecks(CheckContext context, Name name, Kubernetes cluster) {
        this.context = context;
        this.name = name;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.cluster = cluster;
        this.path = "clusters." + name;
    }

    void run() {
        context.claim("Kubernetes", name, groups());
        version();
        controlPlane();
        workers();
        network();
        gpu();
        cluster.oidc().ifPresent(this::oidc);
        authorization();
    }

    private void version() {
        String place = path + ".version";
        var version = cluster.version();
        if (findings.isUnsound(place)) {
            return;
        }
        if (version.minor() < KubernetesVersion.OLDEST_MINOR || version.minor() > KubernetesVersion.NEWEST_MINOR) {
            findings.faultOnce(
                    Code.VERSION_UNSUPPORTED,
                    places.of(place),
                    "This deepsite writes the configuration of kubeadm 1." + KubernetesVersion.OLDEST_MINOR + " to 1."
                            + KubernetesVersion.NEWEST_MINOR + "; " + version + " is not among them.",
                    "Name a release in between.");
        } else if (cluster.runtime().equals("docker") && version.minor() > LAST_WITH_DOCKER) {
            findings.faultOnce(
                    Code.VERSION_UNSUPPORTED,
                    places.of(path + ".runtime"),
                    "Kubernetes 1.24 dropped docker, and this cluster is to run " + version + ".",
                    "Remove the key: containerd is the default.");
        } else if (!version.isAtLeast(KubernetesVersion.OLDEST_PACKAGED_MINOR) && isFromPublicPackages()) {
            findings.faultOnce(
                    Code.VERSION_UNSUPPORTED,
                    places.of(place),
                    KubernetesKind.PUBLIC_PACKAGES + " has packages of Kubernetes from 1."
                            + KubernetesVersion.OLDEST_PACKAGED_MINOR + " on, and none of " + version + ".",
                    "Name a newer release; or another source, such as \"install: {binaries: /srv/kubernetes-" + version
                            + "}\" with a folder of its programs.");
        }
    }

    private boolean isFromPublicPackages() {
        var install = cluster.install();
        return install.binaries().isEmpty()
                && !install.given()
                && install.packages()
                        .map(packages -> packages.startsWith("https://" + KubernetesKind.PUBLIC_PACKAGES + "/"))
                        .orElse(true);
    }

    public static MachineCount controlPlanes(Name name, Kubernetes cluster) {
        return new MachineCount(
                cluster.controlPlane(),
                MachineCount.Rule.ONE_OR_THREE,
                "the control plane of the cluster " + name,
                "etcd needs a majority: two machines have none when one is lost, and more than three only cost.",
                Code.CONTROL_PLANE_COUNT);
    }

    private void controlPlane() {
        String place = path + ".controlPlane";
        var group = site.machines().get(cluster.controlPlane());
        if (group == null || findings.isUnsound(place) || site.provider().machinesExist()) {
            return;
        }
        int machines = group.count().orElse(1);
        if (findings.isUnsound("machines." + cluster.controlPlane() + ".count")) {
            return;
        }
        context.count(controlPlanes(name, cluster), place);
        var endpoint = cluster.endpoint();
        boolean none =
                endpoint.virtualAddress().isEmpty() && endpoint.loadBalancer().isEmpty();
        if (machines == 3 && none && !findings.isUnsound(path + ".endpoint")) {
            findings.faultOnce(
                    Code.ENDPOINT_NEEDED,
                    places.of(place),
                    "Nodes and users reach three API servers by one address, and the file names none.",
                    "Add \"endpoint: {virtualAddress: …}\" with a free address of the machines' network, or"
                            + " \"endpoint: {loadBalancer: host:port}\".");
        }
        if (endpoint.virtualAddress().isPresent() && !site.provider().takesMoreAddresses()) {
            findings.faultOnce(
                    Code.NOT_WITH_PROVIDER,
                    places.ofKey(path + ".endpoint.virtualAddress"),
                    "A port of an OpenStack network answers by its own address only.",
                    "Use the cloud's load balancer: endpoint: {loadBalancer: host:port}.");
        }
    }

    private void workers() {
        int shared = cluster.workers().indexOf(cluster.controlPlane());
        if (shared >= 0 && !findings.isUnsound(path + ".workers")) {
            findings.faultOnce(
                    Code.GROUP_TWICE,
                    places.of(path + ".workers[" + shared + "]"),
                    cluster.controlPlane() + " is the control plane of the same cluster.",
                    "Name another group.");
        }
    }

    private void network() {
        String place = path + ".network";
        var network = cluster.network();
        if (findings.isUnsound(place + ".pods") || findings.isUnsound(place + ".services")) {
            return;
        }
        if (network.pods().overlaps(network.services())) {
            findings.faultOnce(
                    Code.RANGES_OVERLAP,
                    places.of(places.has(place + ".services") ? place + ".services" : place + ".pods"),
                    "The range of services, " + network.services() + ", and that of pods, " + network.pods()
                            + ", share addresses.",
                    "Choose two that do not, such as 10.244.0.0/16 and 10.96.0.0/16.");
        }
        site.provider().machineRange().ifPresent(range -> {
            for (var entry : List.of("pods", "services")) {
                var own = entry.equals("pods") ? network.pods() : network.services();
                if (own.overlaps(range)) {
                    findings.faultOnce(
                            Code.RANGES_OVERLAP,
                            places.of(places.has(place + "." + entry) ? place + "." + entry : path),
                            "The range of " + entry + ", " + own + ", and that of the machines, " + range
                                    + ", share addresses.",
                            "Choose another range for " + entry + ".");
                }
            }
        });
        podRange(place);
    }

    private void podRange(String place) {
        var pods = cluster.network().pods();
        String where = places.has(place + ".pods") ? place + ".pods" : path + ".version";
        if (pods.isIpv6() || pods.prefix() > NODE_PREFIX) {
            findings.faultOnce(
                    Code.POD_RANGES,
                    places.of(where),
                    "Each node takes a /" + NODE_PREFIX + " of " + pods + ".",
                    "Give an IPv4 range with room for that, such as 10.244.0.0/16.");
            return;
        }
        int nodes = cluster.groups().stream()
                .mapToInt(group -> site.machines().containsKey(group)
                        ? site.machines().get(group).count().orElse(1)
                        : 0)
                .sum();
        int room = 1 << Math.min(NODE_PREFIX - pods.prefix(), 24);
        if (nodes > room && !findings.isUnsound("machines")) {
            findings.faultOnce(
                    Code.POD_RANGES,
                    places.of(where),
                    "Each node takes a /" + NODE_PREFIX + " of " + pods + ", which is enough for " + room
                            + "; the cluster has " + nodes + " nodes.",
                    "Widen the range of pods.");
        }
    }

    private void gpu() {
        String place = path + ".gpu";
        new GpuSharingChecks(site, cluster, places, findings).run(place);
        boolean any = cluster.groups().stream()
                .map(group -> site.machines().get(group))
                .anyMatch(group -> group != null && !group.gpus().isEmpty());
        if (places.has(place) && !any && !findings.isUnsound("machines")) {
            findings.faultOnce(
                    Code.NO_GPU,
                    places.ofKey(place),
                    "No machine group of the cluster asks for a GPU, so there is nothing to offer or to label.",
                    "Add gpus: to the machine group that has the cards, or remove the key.");
        }
    }

    private void oidc(Kubernetes.Oidc oidc) {
        String place = path + ".oidc";
        if (!oidc.issuer().startsWith("https://")) {
            findings.faultOnce(
                    Code.NOT_HTTPS,
                    places.of(place + ".issuer"),
                    "The API server takes the provider's keys from " + Wording.quoted(oidc.issuer())
                            + ", and would trust whoever answers there; it refuses an issuer without https.",
                    "Write the provider's https URL, as its tokens have it.");
        }
        claim(place + ".usernameClaim", oidc.usernameClaim());
        oidc.groupsClaim().ifPresent(claim -> claim(place + ".groupsClaim", claim));
    }

    private void claim(String place, String claim) {
        if (OpenId.isNested(claim) && !cluster.version().isAtLeast(KubernetesIdentity.STRUCTURED)) {
            findings.faultOnce(
                    Code.CLAIM_UNREADABLE,
                    places.of(place),
                    "The API server of " + cluster.version() + " reads claims only at the top of a token; " + claim
                            + " is inside of "
                            + Wording.quoted(OpenId.keys(claim).getFirst()) + ".",
                    "Let the provider map it to a claim of its own, or use Kubernetes 1."
                            + KubernetesIdentity.STRUCTURED + " or newer.");
        }
        if (KEYCLOAK.matcher(claim).matches()) {
            findings.faultOnce(
                    Code.CLAIM_UNREADABLE,
                    places.of(place),
                    "The API server looks for one claim of the name " + Wording.quoted(claim)
                            + ", dots included; Keycloak's roles are inside of others.",
                    "Write \"/" + claim.replace('.', '/') + "\".");
        }
    }

    private void authorization() {
        String place = path + ".authorization";
        var modes = cluster.authorization().inForce().stream()
                .map(AuthorizationMode::value)
                .toList();
        if (findings.isUnsound(place) || findings.isUnsound(place + ".modes")) {
            return;
        }
        if (!modes.containsAll(List.of("Node", "RBAC"))) {
            findings.faultOnce(
                    Code.AUTHORIZERS,
                    places.of(place + ".modes"),
                    "Without Node no kubelet may do its work, and without RBAC neither controllers nor kubeadm's own"
                            + " users.",
                    "Write [Node, RBAC" + (modes.contains("ABAC") ? ", ABAC" : "") + "].");
        }
    }

    /** Names of groups that must exist, by their place. */
    private List<NamedGroup> groups() {
        var groups = new ArrayList<NamedGroup>();
        groups.add(new NamedGroup(cluster.controlPlane(), path + ".controlPlane"));
        groups.addAll(NamedGroup.of(cluster.workers(), path + ".workers"));
        return groups;
    }
}
