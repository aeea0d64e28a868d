package io.deepsite.service.page;

import io.deepsite.service.api.SiteAccess;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.service.sites.SiteLogin;
import java.io.IOException;
import java.util.List;

/** Shows secrets, each once. */
public final class SecretPage {
    private static final String SECRET = "/sites/{site}/secrets/{secret}";

    private final SiteAccess access;
    private final SiteLogin login;

    public SecretPage(SiteAccess access, SiteLogin login) {
        this.access = access;
        this.login = login;
    }

    public List<Route> routes() {
        return List.of(Route.post(SECRET, this::show), Route.post(SECRET + "/again", this::again));
    }

    private void show(Exchange exchange) throws IOException {
        var site = access.own(exchange, exchange.parameter("site")).site();
        var name = exchange.parameter("secret");
        var secret = login.show(SiteAccess.caller(exchange), site, name);
        PageWriter.send(
                exchange,
                200,
                "secret",
                new SecretModel(Frame.of(exchange, "Secret of " + site.title()), site.id(), name, secret.reveal()));
    }

    private void again(Exchange exchange) throws IOException {
        var site = access.managed(exchange, exchange.parameter("site")).site();
        login.showAgain(SiteAccess.caller(exchange), site, exchange.parameter("secret"));
        exchange.redirect("/sites/" + site.id());
    }
}
