package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.sites.EventFeed;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import io.deepsite.service.sites.SiteWork;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the API does with sites. */
final class SiteOperations {
    private static final int STREAMS = 2000;
    static final String SITE = "/v1/sites/{site}";

    private final Catalogue catalogue;
    private final SiteService sites;
    private final SiteWork work;
    private final SiteAccess access;
    private final OwnOrders own;
    private final EventStream stream;

    SiteOperations(
            Catalogue catalogue, SiteService sites, SiteWork work, SiteAccess access, OwnOrders own, EventFeed feed) {
        this.catalogue = catalogue;
        this.sites = sites;
        this.work = work;
        this.access = access;
        this.own = own;
        this.stream = new EventStream(feed, STREAMS);
    }

    List<Operation> all() {
        return List.of(
                Operation.get(
                        "/v1/sites",
                        "listSites",
                        "Sites of a project that the caller may see, the latest first.",
                        Bodies.SiteList.class,
                        List.of(
                                Requests.PROJECT,
                                Requests.LIMIT,
                                new Operation.Query("before", "string", false, "Only older ones than this site."),
                                new Operation.Query("deleted", "boolean", false, "Also those that are deleted."),
                                new Operation.Query("own", "boolean", false, "Only those that the caller ordered.")),
                        this::list),
                Operation.post(
                        "/v1/sites",
                        "orderSite",
                        "Orders a site; its plan is made next. With the header Idempotency-Key, the same order twice is one.",
                        Bodies.Order.class,
                        202,
                        Bodies.SiteView.class,
                        this::order),
                Operation.get(
                        SITE,
                        "getSite",
                        "A site with its runs; its version is the ETag.",
                        Bodies.SiteView.class,
                        List.of(),
                        this::site),
                Operation.post(
                        SITE + "/confirm",
                        "confirmSite",
                        "Says yes to the plan: the site is built when its time comes and the quota has room.",
                        Bodies.Confirmation.class,
                        202,
                        Bodies.SiteView.class,
                        this::confirm),
                Operation.post(
                        SITE + "/cancel",
                        "cancelRun",
                        "Stops the run: what is in flight ends. Asked again, that is stopped, too.",
                        null,
                        202,
                        Bodies.SiteView.class,
                        exchange -> changed(exchange, site -> sites.cancel(SiteAccess.caller(exchange), site))),
                Operation.post(
                        SITE + "/retry",
                        "retryRun",
                        "Goes on where the last run failed.",
                        null,
                        202,
                        Bodies.SiteView.class,
                        exchange -> changed(exchange, site -> sites.retry(SiteAccess.caller(exchange), site))),
                new Operation(
                        "DELETE",
                        SITE,
                        "deleteSite",
                        "Deletes a site, in any state; it is deleted once the back-end has nothing of it.",
                        List.of(),
                        Optional.empty(),
                        202,
                        Optional.of(Bodies.SiteView.class),
                        exchange -> changed(exchange, site -> sites.delete(SiteAccess.caller(exchange), site))),
                Operation.post(
                        SITE + "/lease",
                        "extendLease",
                        "Extends the lease, within the limit of the template.",
                        Bodies.LeaseChange.class,
                        200,
                        Bodies.SiteView.class,
                        this::extend),
                Operation.post(
                        SITE + "/certificate",
                        "signCertificate",
                        "Signs an SSH key of the caller, who has an account there, for a short time.",
                        Bodies.CertificateQuestion.class,
                        200,
                        Bodies.Certificate.class,
                        this::certificate),
                Operation.get(
                        SITE + "/events",
                        "listEvents",
                        "What happened: server-sent events that go on, from the one after Last-Event-ID.",
                        null,
                        List.of(),
                        this::events));
    }

    private void list(Exchange exchange) throws IOException {
        var project = access.member(exchange, Requests.required(exchange, "project"));
        int limit = Requests.limit(exchange);
        var found = sites.sites(
                project,
                exchange.query("own").filter("true"::equals).isPresent()
                        ? Optional.of(SiteAccess.caller(exchange).id())
                        : access.only(exchange, project.value()),
                exchange.query("deleted").filter("true"::equals).isPresent(),
                exchange.query("before"),
                limit);
        ApiJson.send(
                exchange,
                200,
                new Bodies.SiteList(
                        found.stream().map(Views::of).toList(),
                        found.size() < limit
                                ? Optional.empty()
                                : Optional.of(found.getLast().id())));
    }

    private void order(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.Order.class);
        var project = access.member(exchange, Requests.given(asked.project(), "project"));
        if (asked.template().isPresent() == asked.siteYaml().isPresent()) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST, "The body has not exactly one of template and siteYaml.", "Give one of them."));
        }
        var parameters = new TreeMap<>(asked.parameters().orElse(Map.of()));
        var view = sites.order(
                SiteAccess.caller(exchange),
                asked.siteYaml().isPresent()
                        ? own.order(
                                exchange, project, asked.siteYaml().get(), asked.title(), parameters, asked.startsAt())
                        : fromCatalogue(project, asked, parameters),
                exchange.sent("Idempotency-Key"));
        exchange.header("Location", "/v1/sites/" + view.site().id());
        send(exchange, 202, view);
    }

    private SiteService.Order fromCatalogue(Name project, Bodies.Order asked, SortedMap<String, String> parameters) {
        var template = catalogue.template(asked.template().orElseThrow());
        if (!template.isFor(project)) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED, "This template is not for the project " + project + ".", "Choose another one."));
        }
        return new SiteService.Order(
                project,
                asked.title().orElse(template.text().title()),
                Optional.of(template.id().value()),
                template.yaml(),
                template.text().account(),
                parameters,
                asked.startsAt());
    }

    private void site(Exchange exchange) throws IOException {
        send(exchange, 200, access.seen(exchange, exchange.parameter("site")));
    }

    private void confirm(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.Confirmation.class);
        var version = exchange.sent("If-Match").map(Requests::version);
        changed(
                exchange,
                site -> sites.confirm(
                        SiteAccess.caller(exchange), site, asked.waits().orElse(false), version));
    }

    private void extend(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.LeaseChange.class);
        Span by;
        try {
            by = Span.parse(Requests.given(asked.extend(), "extend"));
        } catch (IllegalArgumentException e) {
            throw new Failure(Diagnostic.error(Code.REQUEST, "extend: " + e.getMessage() + ".", "Write 2h."), e);
        }
        var view = access.decided(exchange, exchange.parameter("site"));
        var end = work.extend(view.site(), by.duration());
        send(
                exchange,
                200,
                sites.extended(SiteAccess.caller(exchange), view.site().id(), end));
    }

    private void certificate(Exchange exchange) throws IOException {
        var asked = ApiJson.read(exchange, Bodies.CertificateQuestion.class);
        var site = access.seen(exchange, exchange.parameter("site")).site();
        var account = access.login(exchange, site);
        var signed = work.certificate(site, account, Requests.given(asked.key(), "key"));
        sites.told(SiteAccess.caller(exchange), site.id(), "certificate " + signed.serial());
        ApiJson.send(exchange, 200, Views.of(signed, account));
    }

    private void events(Exchange exchange) throws IOException {
        var id = access.seen(exchange, exchange.parameter("site")).site().id();
        long after = Requests.number(
                exchange.sent("Last-Event-ID").or(() -> exchange.query("after")).orElse("0"));
        if (!stream.enter()) {
            throw new Failure(Diagnostic.error(
                    Code.TOO_MANY_REQUESTS, "Too many follow events of this service now.", "Try again later."));
        }
        stream.write(exchange, id, after, () -> {
            var site = sites.site(id).site();
            if (!access.isStillSeen(exchange, site)) {
                return EventStream.State.FORBIDDEN;
            }
            return site.status() == SiteStatus.DELETED ? EventStream.State.OVER : EventStream.State.GOES_ON;
        });
    }

    private interface Change {
        SiteService.View of(String site);
    }

    private void changed(Exchange exchange, Change change) throws IOException {
        var site = access.decided(exchange, exchange.parameter("site")).site().id();
        send(exchange, 202, change.of(site));
    }

    static void send(Exchange exchange, int status, SiteService.View view) throws IOException {
        exchange.header("ETag", "\"" + view.site().version() + "\"");
        ApiJson.send(exchange, status, Views.of(view));
    }
}
