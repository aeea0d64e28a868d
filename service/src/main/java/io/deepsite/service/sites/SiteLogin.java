package io.deepsite.service.sites;

import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.site.Name;
import io.deepsite.state.Secret;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What lets its owner into a site that is ready, beside SSH: files of clusters, and the secrets that its template names. */
public final class SiteLogin {
    private final Catalogue catalogue;
    private final ClusterKinds kinds;
    private final SiteWork work;
    private final ShownSecrets shown;

    public SiteLogin(Catalogue catalogue, ClusterKinds kinds, SiteWork work, ShownSecrets shown) {
        this.catalogue = catalogue;
        this.kinds = kinds;
        this.work = work;
        this.shown = shown;
    }

    /** @param shownAt empty: not yet */
    public record Offered(String name, Optional<Instant> shownAt) {}

    /** Names of clusters that have a kubeconfig without a secret. */
    public List<Name> kubeconfigs(SiteRow site) {
        if (site.status() != SiteStatus.READY) {
            return List.of();
        }
        return kinds.loader().load("site.yaml", site.yaml(), site.parameters()).site().stream()
                .flatMap(read -> read.clusters().entrySet().stream()
                        .filter(cluster -> kinds.of(read, cluster.getKey(), cluster.getValue())
                                .loginFile()
                                .map(ClusterKind.LoginFile::name)
                                .filter("kubeconfig"::equals)
                                .isPresent())
                        .map(cluster -> cluster.getKey()))
                .toList();
    }

    /**
     * @param cluster empty: the only one that has some
     * @throws Failure NOT_NOW, NOT_FOUND, REQUEST, or that of the cluster
     */
    public String kubeconfig(SiteRow site, Optional<String> cluster) {
        requireReady(site);
        var all = kubeconfigs(site);
        var wanted = all.stream()
                .filter(name -> cluster.isEmpty() || name.value().equals(cluster.get()))
                .toList();
        if (wanted.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_FOUND,
                    "This site has no such cluster with a login at an identity provider.",
                    "A cluster of Kubernetes has one if its template has oidc."));
        }
        if (wanted.size() > 1) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST,
                    "This site has several clusters: "
                            + String.join(", ", all.stream().map(Name::value).toList()) + ".",
                    "Name one: ?cluster=" + all.getFirst() + "."));
        }
        return work.loginFile(site, wanted.getFirst());
    }

    /** The secrets of a site that its owner may see. */
    public List<Offered> secrets(SiteRow site) {
        return site.status() == SiteStatus.READY
                ? names(site).stream()
                        .map(name -> new Offered(name, shown.shownAt(site, name, site.owner())))
                        .toList()
                : List.of();
    }

    /** @throws Failure NOT_NOW, NOT_FOUND */
    public Secret show(Caller caller, SiteRow site, String name) {
        requireReady(site);
        requireOffered(site, name);
        // Read first: what cannot be read was not shown.
        var secret = secret(site, name);
        shown.show(caller, site, name);
        return secret;
    }

    /** @throws Failure NOT_FOUND */
    public void showAgain(Caller caller, SiteRow site, String name) {
        requireOffered(site, name);
        shown.again(caller, site, name);
    }

    private Secret secret(SiteRow site, String name) {
        try {
            return work.secret(site, name);
        } catch (Failure e) {
            if (e.diagnostics().getFirst().code() == Code.SECRET_UNKNOWN) {
                // The site's other secrets are none of its owner's business, not by name either.
                throw unknown();
            }
            throw e;
        }
    }

    private List<String> names(SiteRow site) {
        return site.template().stream()
                .flatMap(template -> catalogue.find(template).stream())
                .flatMap(template -> template.text().secrets(site.account()).stream())
                .toList();
    }

    private void requireOffered(SiteRow site, String name) {
        if (!names(site).contains(name)) {
            throw unknown();
        }
    }

    private static Failure unknown() {
        return new Failure(Diagnostic.error(
                Code.NOT_FOUND,
                "This site has no secret of this name that its owner may see.",
                "GET /v1/sites/ID/secrets lists them; template.yaml says which there are."));
    }

    private static void requireReady(SiteRow site) {
        if (site.status() != SiteStatus.READY) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_NOW,
                    "Nobody logs in to it: its state is " + site.status().word() + ".",
                    "Wait until it is ready."));
        }
    }
}
