package io.deepsite.service.api;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.sites.SiteService;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the API does with sites that are built: other sizes, other people. And what TOSCA makes of one. */
final class ChangeOperations {
    private static final String SHARES = SiteOperations.SITE + "/shares";

    private final SiteService sites;
    private final SiteAccess access;
    private final OwnOrders own;

    ChangeOperations(SiteService sites, SiteAccess access, OwnOrders own) {
        this.sites = sites;
        this.access = access;
        this.own = own;
    }

    List<Operation> all() {
        return List.of(
                Operation.post(
                        SiteOperations.SITE + "/resize",
                        "resizeSite",
                        "Plans other values of the parameters of a site that is built; the plan is confirmed like the"
                                + " first one. Machines that go are drained first. If-Match refuses it on an old version.",
                        Bodies.ResizeOrder.class,
                        202,
                        Bodies.SiteView.class,
                        this::resize),
                Operation.get(
                        SHARES,
                        "listShares",
                        "Colleagues with whom a site is shared.",
                        Bodies.ShareList.class,
                        List.of(),
                        this::shares),
                Operation.post(
                        SHARES,
                        "shareSite",
                        "Shares a site with a member of its project, who then sees it and has an account on its"
                                + " machines. For its owner and managers.",
                        Bodies.ShareQuestion.class,
                        202,
                        Bodies.SiteView.class,
                        this::share),
                new Operation(
                        "DELETE",
                        SHARES + "/{share}",
                        "endShare",
                        "Ends a share: at once for what is seen and signed, by an apply for the account.",
                        List.of(),
                        Optional.empty(),
                        202,
                        Optional.of(Bodies.SiteView.class),
                        this::unshare),
                Operation.post(
                        "/v1/tosca",
                        "importTosca",
                        "Makes a site.yaml of a template of TOSCA (1.0 or 1.3), which can be ordered as siteYaml.",
                        Bodies.ToscaQuestion.class,
                        200,
                        Bodies.ToscaAnswer.class,
                        this::tosca));
    }

    private void resize(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.ResizeOrder.class);
        var changes = Requests.given(asked.parameters(), "parameters");
        var site = access.decided(exchange, exchange.parameter("site")).site();
        own.checkResize(site, changes);
        // What was checked is what is resized.
        var version = exchange.sent("If-Match").map(Requests::version).or(() -> Optional.of(site.version()));
        SiteOperations.send(
                exchange, 202, sites.resizing().resize(SiteAccess.caller(exchange), site.id(), changes, version));
    }

    private void shares(Exchange exchange) throws IOException {
        var site = access.seen(exchange, exchange.parameter("site")).site();
        ApiJson.send(
                exchange,
                200,
                new Bodies.ShareList(sites.sharing().of(site.id()).stream()
                        .map(Bodies.ShareView::of)
                        .toList()));
    }

    private void share(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.ShareQuestion.class);
        var site = access.decided(exchange, exchange.parameter("site")).site();
        var person = access.known(site.project(), Requests.given(asked.person(), "person"));
        SiteOperations.send(exchange, 202, sites.sharing().share(SiteAccess.caller(exchange), site.id(), person));
    }

    private void unshare(Exchange exchange) throws IOException {
        var site = access.decided(exchange, exchange.parameter("site")).site();
        SiteOperations.send(
                exchange,
                202,
                sites.sharing().end(SiteAccess.caller(exchange), site.id(), exchange.parameter("share")));
    }

    private void tosca(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.ToscaQuestion.class);
        var project = access.member(exchange, Requests.given(asked.project(), "project"));
        var made = own.ofTosca(
                exchange,
                project,
                Requests.given(asked.tosca(), "tosca"),
                asked.inputs().orElse(Map.of()));
        ApiJson.send(
                exchange,
                200,
                new Bodies.ToscaAnswer(
                        made.text(),
                        made.extent().name().toLowerCase(Locale.ROOT),
                        made.left().stream()
                                .map(left -> new Bodies.LeftView(left.what(), left.line(), left.why(), left.lost()))
                                .toList()));
    }
}
