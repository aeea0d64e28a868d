package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.OpenId;
import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.Cluster;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OneOf;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.SiteNetwork;
import io.deepsite.site.Span;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A Kubernetes cluster made with kubeadm. */
public record Kubernetes(
        @Key(
                value = "The release of Kubernetes, with all three numbers. deepsite does not upgrade a cluster yet.",
                example = "1.31.4",
                impact = ChangeImpact.REPLACE,
                confined = true)
        KubernetesVersion version,

        @Key(
                value = "The group (of one or three machines) that runs API server, scheduler and etcd.",
                example = "control",
                impact = ChangeImpact.REPLACE)
        Name controlPlane,

        @Key(
                value = "The groups whose machines run pods.",
                example = "[worker]",
                required = true,
                impact = ChangeImpact.RESTART)
        List<Name> workers,

        @Key(value = "One address for several API servers.", impact = ChangeImpact.REPLACE)
        Endpoint endpoint,

        @Key(
                value = "What runs containers. Kubernetes has no docker from 1.24 on.",
                defaultValue = "containerd",
                choices = {"containerd", "docker"},
                impact = ChangeImpact.REPLACE)
        String runtime,

        @Key(value = "Addresses of pods and services, and what connects pods.", impact = ChangeImpact.REPLACE)
        Network network,

        @Key(value = "Where Kubernetes comes from; its package repository by default.", impact = ChangeImpact.RESTART)
        Install install,

        @Key(
                value = "Registry and path of the images of Kubernetes itself, for a site without the public one.",
                example = "registry.example.org/kubernetes",
                pattern = "[a-z0-9]([a-z0-9./:_-]*[a-z0-9])?",
                impact = ChangeImpact.RESTART,
                confined = true)
        Optional<String> registry,

        @Key(value = "How GPUs are offered to pods, on machines that have some.", impact = ChangeImpact.RESTART)
        KubernetesGpu gpu,

        @Key(value = "Users who log in at an OpenID Connect provider.", impact = ChangeImpact.RESTART)
        Optional<Oidc> oidc,

        @Key(value = "How requests are judged.", impact = ChangeImpact.RESTART)
        Authorization authorization,

        @Key(value = "Who may do what: RBAC bindings.", impact = ChangeImpact.FILE)
        List<Access> access,

        @Key(value = "What comes with the cluster.", impact = ChangeImpact.FILE)
        Addons addons,

        @Key(value = "How workers are taken out of service.", impact = ChangeImpact.NOTHING)
        Drain drain,

        @Key("Images of the pods by which the cluster proves itself.")
        KubernetesAcceptance acceptance)
        implements Cluster {
    static final String WHO =
            "With neither it applies to no one; with both, only to that user as a member of that group.";

    public Kubernetes {
        workers = List.copyOf(workers);
        access = List.copyOf(access);
    }

    @Override
    public String kind() {
        return "kubernetes";
    }

    @Override
    public Set<Name> groups() {
        var groups = new LinkedHashSet<Name>();
        groups.add(controlPlane);
        groups.addAll(workers);
        return groups;
    }

    @Override
    public List<Part> parts() {
        return List.of(new Part("controlPlane", List.of(controlPlane)), new Part("workers", workers));
    }

    @Override
    public List<SiteNetwork> describedNetworks() {
        return List.of(
                new SiteNetwork("pods", Optional.of(network.pods()), "connected by " + network.plugin()),
                new SiteNetwork("services", Optional.of(network.services()), ""));
    }

    /** At most one of the two; three API servers need one. */
    public record Endpoint(
            @Key(
                    value = "A free address of the machines' network that one control-plane machine holds at a time"
                            + " (keepalived, haproxy).",
                    example = "10.64.0.250",
                    impact = ChangeImpact.REPLACE)
            Optional<IpAddress> virtualAddress,

            @Key(
                    value = "A load balancer that exists already, host and port; it passes connections on to port 6443"
                            + " of the control-plane machines.",
                    example = "api.example.org:6443",
                    pattern = "[A-Za-z0-9.-]+:[0-9]{1,5}",
                    excludes = @OtherKeys(value = "virtualAddress", why = "The API servers have one address."),
                    impact = ChangeImpact.REPLACE)
            Optional<String> loadBalancer) {}

    public record Network(
            @Key(
                    value = "Addresses of pods.",
                    defaultValue = "10.244.0.0/16",
                    impact = ChangeImpact.REPLACE,
                    confined = true)
            Cidr pods,

            @Key(
                    value = "Addresses of services.",
                    defaultValue = "10.96.0.0/16",
                    impact = ChangeImpact.REPLACE,
                    confined = true)
            Cidr services,

            @Key(
                    value = "What connects pods: flannel (VXLAN), calico (from a manifest that you give), or bridge: a"
                            + " plain bridge and routes, for machines in one network segment.",
                    defaultValue = "flannel",
                    choices = {"bridge", "calico", "flannel"},
                    requires =
                            @OtherKeys(
                                    value = "manifest",
                                    when = "plugin=calico",
                                    why = "The objects of calico come from its own manifest.",
                                    fix = "Add \"manifest: /srv/calico.yaml\" with the file of the release you want."),
                    impact = ChangeImpact.REPLACE)
            String plugin,

            @Key(
                    value = "The manifest of the plugin calico: a file on this machine, a full path.",
                    example = "/srv/calico-3.30.yaml",
                    pattern = "/.+",
                    requires = @OtherKeys(value = "plugin=calico", code = Code.NO_EFFECT),
                    impact = ChangeImpact.RESTART)
            Optional<String> manifest) {}

    /** At most one of the three; none is {@code packages} with the default repository. */
    public record Install(
            @Key(
                    value = "The apt repository with packages of this minor release, if not the public one.",
                    example = "https://packages.example.org/kubernetes/v1.31/deb/",
                    pattern = "https?://\\S+",
                    impact = ChangeImpact.FILE)
            Optional<String> packages,

            @Key(
                    value = "A folder on this machine (a full path) or a URL with bin/, images/*.tar and SHA256SUMS,"
                            + " as testbed/kubernetes-binaries makes one.",
                    example = "/srv/kubernetes-1.20.2",
                    pattern = "(/|https?://)\\S+",
                    excludes =
                            @OtherKeys(
                                    value = {"packages", "given"},
                                    why = ONE_SOURCE),
                    impact = ChangeImpact.RESTART)
            Optional<String> binaries,

            @Key(
                    value = "The machines have kubeadm, kubelet and kubectl of this version already.",
                    defaultValue = "false",
                    excludes = @OtherKeys(value = "packages", why = ONE_SOURCE),
                    impact = ChangeImpact.NOTHING)
            boolean given) {
        static final String ONE_SOURCE = "Kubernetes comes from one place.";
    }

    /** An OpenID Connect provider, as the API server checks its ID tokens. */
    public record Oidc(
            @Key(
                    value = "The provider's URL, as its tokens have it (iss); https.",
                    example = "https://iam.example.org/realms/lab",
                    pattern = "\\S+",
                    impact = ChangeImpact.RESTART)
            String issuer,

            @Key(
                    value = "The client that tokens are made for (aud).",
                    example = "kubernetes",
                    pattern = "\\S+",
                    impact = ChangeImpact.RESTART)
            String clientId,

            @Key(
                    value = "What the login asks for beside openid, so that tokens have the claims; kubeconfig --oidc"
                            + " passes it on. By default what the claims need: profile, email and others that OpenID"
                            + " Connect names, wlcg.groups, eduperson_entitlement, entitlements.",
                    example = "[email, profile, wlcg.groups]",
                    pattern = OpenId.SCOPE)
            List<String> scopes,

            @Key(
                    value =
                            "The claim that holds the user's name. One inside of others is a path, /a/b (from 1.30 on).",
                    defaultValue = "sub",
                    pattern = OpenId.CLAIM,
                    impact = ChangeImpact.RESTART)
            String usernameClaim,

            @Key(
                    value = "Put in front of user names; \"-\" for nothing. By default the issuer and \"#\", except for"
                            + " the claim email.",
                    example = "oidc:",
                    pattern = "\\S+",
                    impact = ChangeImpact.RESTART)
            Optional<String> usernamePrefix,

            @Key(
                    value = "The claim that holds the user's groups, one or a list. One inside of others is a path,"
                            + " /realm_access/roles (from 1.30 on).",
                    example = "groups",
                    pattern = OpenId.CLAIM,
                    impact = ChangeImpact.RESTART)
            Optional<String> groupsClaim,

            @Key(
                    value = "Put in front of group names.",
                    example = "oidc:",
                    pattern = "\\S+",
                    requires =
                            @OtherKeys(
                                    value = "groupsClaim",
                                    why = "Without it a token carries no groups.",
                                    code = Code.NO_EFFECT),
                    impact = ChangeImpact.RESTART)
            Optional<String> groupsPrefix,

            @Key(
                    value = "Certificate of the provider's authority, a file on this machine (a full path), if it is"
                            + " not a public one.",
                    example = "/etc/ssl/lab-ca.crt",
                    pattern = "/.+",
                    impact = ChangeImpact.RESTART)
            Optional<String> caFile) {
        public Oidc {
            scopes = List.copyOf(scopes);
        }

        /** Scopes of a login, openid first. */
        public List<String> allScopes() {
            return OpenId.scopes(
                    scopes,
                    Stream.concat(Stream.of(usernameClaim), groupsClaim.stream())
                            .toList());
        }

        /** What the API server really puts in front of a user's name. */
        public String namePrefix() {
            return usernamePrefix
                    .map(prefix -> prefix.equals("-") ? "" : prefix)
                    .orElseGet(() -> usernameClaim.equals("email") ? "" : issuer + "#");
        }

        public String groupPrefix() {
            return groupsPrefix.orElse("");
        }
    }

    public record Authorization(
            @Key(
                    value = "Authorizers in the order they are asked: Node, RBAC, then ABAC where there are policies."
                            + " Node and RBAC by default.",
                    example = "[Node, RBAC, ABAC]",
                    requires =
                            @OtherKeys(
                                    value = "policies",
                                    when = "modes=ABAC",
                                    why = "The API server does not start without a file of policies.",
                                    fix = "Add policies, or take ABAC out.",
                                    code = Code.AUTHORIZERS),
                    impact = ChangeImpact.RESTART,
                    confined = true)
            List<AuthorizationMode> modes,

            @Key(
                    value = "ABAC policies, one line each in the API server's file.",
                    requires =
                            @OtherKeys(
                                    value = "modes=ABAC",
                                    why = "Only ABAC reads policies.",
                                    fix = "Write modes: [Node, RBAC, ABAC].",
                                    code = Code.NO_EFFECT),
                    impact = ChangeImpact.RESTART)
            List<Policy> policies) {
        public Authorization {
            modes = List.copyOf(modes);
            policies = List.copyOf(policies);
        }

        public List<AuthorizationMode> inForce() {
            return modes.isEmpty() ? List.of(AuthorizationMode.parse("Node"), AuthorizationMode.parse("RBAC")) : modes;
        }
    }

    /** One ABAC policy; a user or a group as the identity provider names it, the prefix is put in front. */
    @OneOf(
            value = {"user", "group"},
            why = WHO,
            none = Code.WHO_UNCLEAR,
            both = Code.WHO_UNCLEAR)
    public record Policy(
            @Key(
                    value = "The user.",
                    example = "alice",
                    pattern = "\\S+",
                    impact = ChangeImpact.RESTART,
                    confined = true)
            Optional<String> user,

            @Key(
                    value = "The group.",
                    example = "physics",
                    pattern = "\\S+",
                    impact = ChangeImpact.RESTART,
                    confined = true)
            Optional<String> group,

            @Key(
                    value = "The namespace; * for all.",
                    defaultValue = "*",
                    pattern = "\\*|[a-z0-9-]+",
                    impact = ChangeImpact.RESTART,
                    confined = true)
            String namespace,

            @Key(
                    value = "The resource; * for all.",
                    defaultValue = "*",
                    pattern = "\\*|[a-z/*]+",
                    impact = ChangeImpact.RESTART,
                    confined = true)
            String resource,

            @Key(
                    value = "The API group; * for all.",
                    defaultValue = "*",
                    pattern = "\\*|[a-z0-9.-]+",
                    impact = ChangeImpact.RESTART,
                    confined = true)
            String apiGroup,

            @Key(
                    value = "A path that is no resource, such as /version; * for all.",
                    example = "/version",
                    pattern = "\\*|/\\S*",
                    impact = ChangeImpact.RESTART,
                    confined = true)
            Optional<String> nonResourcePath,

            @Key(value = "Reading only.", defaultValue = "false", impact = ChangeImpact.RESTART)
            boolean readonly) {}

    /** A user or a group bound to a cluster role, in a namespace or everywhere. */
    @OneOf(
            value = {"user", "group"},
            why = WHO,
            none = Code.WHO_UNCLEAR,
            both = Code.WHO_UNCLEAR)
    public record Access(
            @Key(
                    value = "A user: of this site, or as the identity provider names it.",
                    example = "alice",
                    pattern = "\\S+",
                    impact = ChangeImpact.FILE,
                    confined = true)
            Optional<String> user,

            @Key(
                    value = "A group: of this site's users, or as the identity provider names it.",
                    example = "physics",
                    pattern = "\\S+",
                    impact = ChangeImpact.FILE,
                    confined = true)
            Optional<String> group,

            @Key(
                    value = "A cluster role: view, edit, admin, cluster-admin, or one of your own.",
                    example = "edit",
                    pattern = "[a-z0-9][a-z0-9:.-]*",
                    impact = ChangeImpact.FILE,
                    confined = true)
            String role,

            @Key(value = "In this namespace only, made when missing.", example = "physics", impact = ChangeImpact.FILE)
            Optional<Name> namespace) {}

    public record Addons(
            @Key(value = "Names of services for pods (CoreDNS).", defaultValue = "true", impact = ChangeImpact.FILE)
            boolean dns) {}

    public record Drain(
            @Key(
                    value = "Longest wait for the pods of a worker that is to be removed.",
                    defaultValue = "5m",
                    impact = ChangeImpact.NOTHING)
            Span patience) {}
}
