package io.deepsite.service.page;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Role;
import io.deepsite.service.api.OwnOrders;
import io.deepsite.service.api.SiteAccess;
import io.deepsite.service.api.Views;
import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.catalogue.Template;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.service.login.Logins;
import io.deepsite.service.mail.Mailboxes;
import io.deepsite.service.sites.Caller;
import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.Quota;
import io.deepsite.service.sites.SiteLogin;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import io.deepsite.service.sites.SiteWork;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.text.Elapsed;
import io.deepsite.topology.Topology;
import io.deepsite.topology.TopologyPicture;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The pages: what one has, what one may order, and each site. Forms only; htmx follows what happens. */
public final class Pages {
    private static final int LISTED = 100;
    private static final int EVENTS = 400;
    private static final String SITE = "/sites/{site}";
    /** Fields of the form that are no parameters. */
    private static final Set<String> OWN = Set.of("csrf", "project", "site-title", "site-start");

    private final Catalogue catalogue;
    private final SiteService sites;
    private final SiteWork work;
    private final SiteAccess access;
    private final OwnOrders own;
    private final ClusterKinds kinds;
    private final InstantSource clock;
    private final LeaseWarnings warnings;
    private final SiteLogin login;
    private final Optional<Mailboxes> mailboxes;

    /** @param mailboxes empty: this service sends no mail */
    public Pages(
            Catalogue catalogue,
            SiteService sites,
            SiteWork work,
            SiteAccess access,
            OwnOrders own,
            ClusterKinds kinds,
            InstantSource clock,
            LeaseWarnings warnings,
            SiteLogin login,
            Optional<Mailboxes> mailboxes) {
        this.catalogue = catalogue;
        this.sites = sites;
        this.work = work;
        this.access = access;
        this.own = own;
        this.kinds = kinds;
        this.clock = clock;
        this.warnings = warnings;
        this.login = login;
        this.mailboxes = mailboxes;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/", this::home),
                Route.get("/order/{template}", exchange -> order(exchange, 200, Map.of(), List.of())),
                Route.post("/order/{template}", this::ordered),
                Route.get(SITE, exchange -> site(exchange, "site")),
                Route.get(SITE + "/state", exchange -> site(exchange, "state")),
                Route.post(
                        SITE + "/confirm",
                        exchange ->
                                change(exchange, (caller, id) -> sites.confirm(caller, id, true, Optional.empty()))),
                Route.post(SITE + "/cancel", exchange -> change(exchange, sites::cancel)),
                Route.post(SITE + "/retry", exchange -> change(exchange, sites::retry)),
                Route.post(SITE + "/delete", exchange -> change(exchange, sites::delete)),
                Route.post(SITE + "/extend", this::extend),
                Route.post(SITE + "/certificate", this::certificate));
    }

    private void home(Exchange exchange) throws IOException {
        var person = Logins.required(exchange);
        var parts = access.roles().projects(person).stream()
                .map(project -> project(
                        exchange, project, access.roles().role(person, project).orElse(Role.USER)))
                .toList();
        PageWriter.send(
                exchange,
                200,
                "home",
                new HomeModel(Frame.of(exchange, "Clusters"), parts, mailboxes.map(all -> all.of(person.id()))));
    }

    private HomeModel.ProjectPart project(Exchange exchange, String project, Role role) {
        var name = Name.parse(project);
        return new HomeModel.ProjectPart(
                project,
                role.word(),
                sites.usage(name).stream()
                        .filter(share -> share.limit().isPresent() || share.used() > 0)
                        .map(Pages::use)
                        .toList(),
                catalogue.templates().stream()
                        .filter(template -> template.isFor(name))
                        .map(template -> card(project, template))
                        .toList(),
                own.mayOrder(exchange, name) ? Optional.of("/own/" + encoded(project)) : Optional.empty(),
                sites.sites(name, access.only(exchange, project), false, Optional.empty(), LISTED).stream()
                        .map(this::line)
                        .toList());
    }

    private static HomeModel.Use use(Quota.Share share) {
        return new HomeModel.Use(
                share.name(),
                SitePage.amount(share, share.used())
                        + share.limit()
                                .map(limit -> " of " + SitePage.amount(share, limit))
                                .orElse(""),
                share.limit().map(limit -> limit == 0 ? 100 : (int) Math.min(100, 100 * share.used() / limit)));
    }

    private static HomeModel.Card card(String project, Template template) {
        var usual = template.usual();
        return new HomeModel.Card(
                "/order/" + template.id() + "?project=" + encoded(project),
                template.text().title(),
                template.text().description(),
                template.picture().map(_ -> "/v1/catalogue/" + template.id() + "/picture"),
                usual.machines() + " machines, " + usual.cpus() + " cpus"
                        + (usual.gpus() > 0 ? ", " + usual.gpus() + " GPUs" : "")
                        + template.lease().map(lease -> ", for " + lease).orElse(""));
    }

    private HomeModel.Line line(SiteRow site) {
        return new HomeModel.Line(
                "/sites/" + site.id(),
                site.title(),
                site.status().word(),
                SitePage.badge(site.status()),
                site.ownerName(),
                site.endsAt().map(Elapsed::utc).orElse(""));
    }

    private void order(Exchange exchange, int status, Map<String, String> sent, List<Diagnostic> faults)
            throws IOException {
        var project = access.member(
                exchange,
                exchange.query("project")
                        .or(() -> Optional.ofNullable(sent.get("project")))
                        .orElse(""));
        var template = catalogue.template(exchange.parameter("template"));
        var fields = template.parameters().entrySet().stream()
                .map(entry -> OrderModel.Field.of(
                        entry.getKey().value(),
                        entry.getValue(),
                        Optional.ofNullable(sent.get(entry.getKey().value()))))
                .toList();
        PageWriter.send(
                exchange,
                status,
                "order",
                new OrderModel(
                        Frame.of(exchange, template.text().title()),
                        project.value(),
                        template.id().value(),
                        sent.getOrDefault("site-title", template.text().title()),
                        template.text().description(),
                        fields,
                        sent.getOrDefault("site-start", ""),
                        faults));
    }

    private void ordered(Exchange exchange) throws IOException {
        var sent = exchange.form();
        var project = access.member(exchange, sent.getOrDefault("project", ""));
        var template = catalogue.template(exchange.parameter("template"));
        if (!template.isFor(project)) {
            throw new Failure(Diagnostic.error(Code.NOT_ALLOWED, "This template is not for your project.", ""));
        }
        var parameters = new TreeMap<String, String>();
        sent.forEach((name, value) -> {
            if (!OWN.contains(name)) {
                parameters.put(name, value);
            }
        });
        try {
            var view = sites.order(
                    SiteAccess.caller(exchange),
                    new SiteService.Order(
                            project,
                            sent.getOrDefault("site-title", template.text().title()),
                            Optional.of(template.id().value()),
                            template.yaml(),
                            template.text().account(),
                            parameters,
                            start(sent.getOrDefault("site-start", ""))),
                    Optional.empty());
            exchange.redirect("/sites/" + view.site().id());
        } catch (Failure e) {
            // With what was typed, to correct it.
            order(exchange, 422, sent, e.diagnostics());
        }
    }

    static Optional<Instant> start(String field) {
        try {
            return field.isEmpty()
                    ? Optional.empty()
                    : Optional.of(LocalDateTime.parse(field).toInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.REQUEST,
                            "\"" + field + "\" is no time to begin at.",
                            "Write 2026-12-24T18:00, in UTC."),
                    e);
        }
    }

    private void site(Exchange exchange, String template) throws IOException {
        var view = access.seen(exchange, exchange.parameter("site"));
        var site = view.site();
        var events = sites.events(site.id(), Math.max(0, site.lastEvent() - EVENTS), EVENTS);
        var model = new SitePage(view, clock.instant(), warnings)
                .model(
                        Frame.of(exchange, site.title()),
                        picture(view),
                        site.status() == SiteStatus.PLANNED ? sites.cost(site) : List.of(),
                        events,
                        new SitePage.Rights(
                                access.decides(exchange, site),
                                access.account(exchange, site).isPresent()),
                        sites.sharing().of(site.id()),
                        LoginModel.of(login, site, access.isOwn(exchange, site), access.isManaged(exchange, site)));
        PageWriter.send(exchange, 200, template, model);
    }

    /** Its machines, of which those that are built already look so. */
    private Optional<String> picture(SiteService.View view) {
        var site = view.site();
        return kinds.loader()
                .load("site.yaml", site.yaml(), site.target())
                .site()
                .map(read -> new TopologyPicture(Topology.of(read, Map.of()).configured(work.hosts(site))))
                .map(picture -> picture.svg()
                        .inPage(
                                "topology",
                                picture.title(),
                                picture.description(),
                                TopologyPicture.WIDTH,
                                picture.height())
                        .toString());
    }

    private interface Change {
        SiteService.View of(Caller caller, String site);
    }

    private void change(Exchange exchange, Change change) throws IOException {
        var id = access.decided(exchange, exchange.parameter("site")).site().id();
        change.of(SiteAccess.caller(exchange), id);
        exchange.redirect("/sites/" + id);
    }

    private void extend(Exchange exchange) throws IOException {
        var site = access.decided(exchange, exchange.parameter("site")).site();
        Span by;
        try {
            by = Span.parse(exchange.form().getOrDefault("by", ""));
        } catch (IllegalArgumentException e) {
            throw new Failure(Diagnostic.error(Code.REQUEST, "Extend it by how much? " + e.getMessage() + ".", ""), e);
        }
        sites.extended(SiteAccess.caller(exchange), site.id(), work.extend(site, by.duration()));
        exchange.redirect("/sites/" + site.id());
    }

    private void certificate(Exchange exchange) throws IOException {
        var site = access.seen(exchange, exchange.parameter("site")).site();
        var account = access.login(exchange, site);
        var signed = work.certificate(site, account, exchange.form().getOrDefault("key", ""));
        sites.told(SiteAccess.caller(exchange), site.id(), "certificate " + signed.serial());
        var certificate = Views.of(signed, account);
        PageWriter.send(
                exchange,
                200,
                "certificate",
                new CertificateModel(
                        Frame.of(exchange, "Log in to " + site.title()),
                        site.id(),
                        certificate,
                        Elapsed.utc(certificate.until())));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
