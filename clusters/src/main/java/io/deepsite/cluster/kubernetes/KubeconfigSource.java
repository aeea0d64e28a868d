package io.deepsite.cluster.kubernetes;

import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.BoundedBytes;
import io.deepsite.remote.RemoteHost;
import io.deepsite.site.Name;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks the first control-plane machine for a kubeconfig, and checks what it answers. */
final class KubeconfigSource {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int LARGEST = 1024 * 1024;

    private KubeconfigSource() {}

    /**
     * @param user for whom; empty: for the administrator, or with {@code oidc} for everybody
     * @param oidc whether its user logs in at the identity provider
     * @throws Failure NOT_WITH_KIND, NOT_PROVED
     */
    static KubeconfigFile of(SiteAccess site, Name name, Kubernetes cluster, Optional<Name> user, boolean oidc) {
        var layout = new KubernetesLayout(site.site(), name, cluster, site.machines());
        var argv = layout.kubeconfig(site.site(), user, oidc);
        var machine = layout.first().name();
        var scopes = cluster.oidc().stream()
                .flatMap(provider -> provider.allScopes().stream().skip(1))
                .toList();
        return KubeconfigFile.read(ask(site, machine, argv, scopes), "What " + machine + " printed")
                .named(site.site().name() + "-" + name);
    }

    private static String ask(SiteAccess site, String machine, List<String> argv, List<String> scopes) {
        var text = new BoundedBytes(LARGEST);
        var said = new BoundedBytes(RemoteHost.KEPT);
        try (var host = site.connect(machine)) {
            if (host.exec(argv, InputStream.nullInputStream(), text, said, LIMIT) != 0) {
                throw none(machine, said.text().strip());
            }
        }
        try {
            return Kubeconfig.checked(text.text(), argv, scopes);
        } catch (IllegalArgumentException e) {
            throw none(
                    machine,
                    "what it printed is none of deepsite's: " + e.getMessage() + ". Somebody else may rule it.");
        }
    }

    private static Failure none(String machine, String why) {
        return new Failure(Diagnostic.error(
                Code.NOT_PROVED,
                machine + " made no kubeconfig: " + why,
                "`deepsite verify` checks that the cluster works."));
    }
}
