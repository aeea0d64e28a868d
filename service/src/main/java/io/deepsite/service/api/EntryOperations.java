package io.deepsite.service.api;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.sites.SiteLogin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What lets the owner of a site into it, beside SSH. */
final class EntryOperations {
    private static final String SITE = "/v1/sites/{site}";
    private static final String SECRET = SITE + "/secrets/{secret}";

    private final SiteAccess access;
    private final SiteLogin login;

    EntryOperations(SiteAccess access, SiteLogin login) {
        this.access = access;
        this.login = login;
    }

    List<Operation> all() {
        return List.of(
                Operation.get(
                        SITE + "/kubeconfig",
                        "getKubeconfig",
                        "A kubeconfig without a secret: its user logs in at the identity provider. YAML; for the owner.",
                        null,
                        List.of(new Operation.Query(
                                "cluster", "string", false, "Which one, where the site has several.")),
                        this::kubeconfig),
                Operation.get(
                        SITE + "/secrets",
                        "listSecrets",
                        "The secrets of a site that its owner may see, each once; without their values.",
                        Bodies.SecretList.class,
                        List.of(),
                        this::secrets),
                Operation.post(
                        SECRET,
                        "showSecret",
                        "Shows a secret to the owner of the site, once.",
                        null,
                        200,
                        Bodies.SecretValue.class,
                        this::show),
                Operation.post(
                        SECRET + "/again",
                        "showSecretAgain",
                        "Lets a secret be shown once more; for managers of the project.",
                        null,
                        200,
                        Bodies.SecretList.class,
                        this::again));
    }

    private void kubeconfig(Exchange exchange) throws IOException {
        var site = access.own(exchange, exchange.parameter("site")).site();
        var text = login.kubeconfig(site, exchange.query("cluster"));
        exchange.header("Content-Disposition", "attachment; filename=\"" + site.name() + ".yaml\"");
        exchange.send(200, "application/yaml", text.getBytes(StandardCharsets.UTF_8));
    }

    private void secrets(Exchange exchange) throws IOException {
        send(exchange, access.seen(exchange, exchange.parameter("site")).site().id());
    }

    private void show(Exchange exchange) throws IOException {
        var site = access.own(exchange, exchange.parameter("site")).site();
        var name = exchange.parameter("secret");
        var secret = login.show(SiteAccess.caller(exchange), site, name);
        ApiJson.send(exchange, 200, new Bodies.SecretValue(name, secret.reveal()));
    }

    private void again(Exchange exchange) throws IOException {
        var site = access.managed(exchange, exchange.parameter("site")).site();
        login.showAgain(SiteAccess.caller(exchange), site, exchange.parameter("secret"));
        send(exchange, site.id());
    }

    private void send(Exchange exchange, String site) throws IOException {
        var offered = login.secrets(access.seen(exchange, site).site());
        ApiJson.send(
                exchange,
                200,
                new Bodies.SecretList(offered.stream()
                        .map(one -> new Bodies.SecretEntry(one.name(), one.shownAt()))
                        .toList()));
    }
}
