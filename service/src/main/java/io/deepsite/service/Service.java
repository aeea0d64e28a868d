package io.deepsite.service;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.postgresql.Database;
import io.deepsite.postgresql.PostgresStores;
import io.deepsite.service.access.Access;
import io.deepsite.service.access.MemberSettings;
import io.deepsite.service.access.People;
import io.deepsite.service.access.Person;
import io.deepsite.service.api.Api;
import io.deepsite.service.api.OwnOrders;
import io.deepsite.service.api.Problems;
import io.deepsite.service.api.SiteAccess;
import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.catalogue.OwnSiteSettings;
import io.deepsite.service.catalogue.OwnSites;
import io.deepsite.service.http.AccessLog;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.HttpServer;
import io.deepsite.service.http.Route;
import io.deepsite.service.http.Router;
import io.deepsite.service.login.Logins;
import io.deepsite.service.login.OpenIdProvider;
import io.deepsite.service.mail.MailSettings;
import io.deepsite.service.mail.Mailboxes;
import io.deepsite.service.mail.Mailer;
import io.deepsite.service.page.ChangePages;
import io.deepsite.service.page.MailPage;
import io.deepsite.service.page.PageFiles;
import io.deepsite.service.page.PageProblems;
import io.deepsite.service.page.Pages;
import io.deepsite.service.page.SecretPage;
import io.deepsite.service.records.Tables;
import io.deepsite.service.sites.Caller;
import io.deepsite.service.sites.EventFeed;
import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.Quota;
import io.deepsite.service.sites.ShownSecrets;
import io.deepsite.service.sites.SiteLogin;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteWork;
import io.deepsite.service.sites.Worker;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.site.load.DocumentLoader;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** The whole service in one process: tables, work, API and pages. */
public final class Service implements AutoCloseable {
    private static final DocumentLoader<ServiceSettings> SETTINGS = new DocumentLoader<>(
            ServiceSettings.class,
            "service",
            "projects: {lab: {members: {users: [lab]}}}",
            "docs/guides/service.md has an example.");

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final HttpServer http;
    private final URI seen;
    private Optional<URI> metrics = Optional.empty();

    /**
     * Starts it; every part that was opened is closed again if one cannot be.
     *
     * @param file service.yaml
     * @param testLogin whether people log in without an identity provider, on this machine only
     * @param opening of sites
     * @throws Failure with the faults of the settings or of the catalogue, NOT_SERVED, STORE_FAILED
     */
    public static Service start(Path file, boolean testLogin, RuntimeContext runtime, SiteWork.Opening opening) {
        var settings = SETTINGS.load(file, Service::check);
        var service = new Service(settings);
        try {
            service.open(
                    file.toAbsolutePath().normalize().resolveSibling(".").normalize(),
                    settings,
                    testLogin,
                    runtime,
                    opening);
            return service;
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
    }

    /** An address that stands for all of a machine is none that a browser can return to. */
    private static void check(Places places, Findings findings, ServiceSettings settings) {
        if (settings.url().isEmpty() && address(settings.listen()).getAddress().isAnyLocalAddress()) {
            findings.fault(
                    Code.MISSING_KEY,
                    places.of("listen"),
                    "It listens on every address of this machine; browsers return from a login to one of them.",
                    "Say by which address they see the service: url: https://clusters.example.org");
        }
        if (settings.mail().filter(MailSettings::isOpen).isPresent()) {
            findings.fault(
                    Code.NOT_TOGETHER,
                    places.of("mail.security"),
                    "Mails without TLS can be read and changed on their way to another machine.",
                    "Use starttls or tls, or a mail server on this machine.");
        }
    }

    private Service(ServiceSettings settings) {
        this.http = opened(new HttpServer(
                address(settings.listen()), settings.proxied() ? Optional.of(settings.proxies()) : Optional.empty()));
        this.seen = URI.create(settings.url()
                .map(Object::toString)
                .orElseGet(() -> "http://" + withPort(settings.listen(), http.port())));
    }

    /** By which browsers see it. */
    public URI seen() {
        return seen;
    }

    /** Where Prometheus asks. */
    Optional<URI> metrics() {
        return metrics;
    }

    private void open(
            Path beside,
            ServiceSettings settings,
            boolean testLogin,
            RuntimeContext context,
            SiteWork.Opening opening) {
        LogLines.set(settings.log().equals("json"));
        settings.accessLog().map(AccessLog::to).ifPresent(log -> http.log(opened(log)));
        var folder = beside.resolve(settings.folder());
        var database = settings.database().map(url -> opened(Database.ofService(url, context.environment())));
        var tables = opened(database.map(Tables::in).orElseGet(() -> Tables.inFolder(folder)));
        var runtime =
                database.map(shared -> context.with(PostgresStores.in(shared))).orElse(context);
        var loader = runtime.kinds().loader();
        var catalogue = new Catalogue(beside.resolve(settings.catalogue()), loader);
        // A template with a fault is better found now than by its first user.
        catalogue.templates();

        var quotas = new HashMap<Name, Quota>();
        var members = new TreeMap<String, MemberSettings>();
        var own = new HashMap<Name, OwnSiteSettings>();
        settings.projects().forEach((name, project) -> {
            quotas.put(name, project.quota());
            members.put(name.value(), project.members());
            project.ownSites().ifPresent(terms -> own.put(name, terms));
        });
        var ownSites = new OwnSites(own, beside, loader);
        ownSites.check();
        var work = new SiteWork(folder.resolve("sites"), runtime, opening);
        var worker = new Worker(
                tables,
                work,
                loader,
                quotas,
                runtime.clock(),
                new Worker.Sharing(settings.workers(), settings.hostsPerProcess(), database.isEmpty()));
        var sites = new SiteService(tables, loader, quotas, runtime.clock(), worker::wake);
        var people = new People(tables, runtime.clock());
        var access = new SiteAccess(new Access(members, settings.administrators()), people, sites);
        var ownOrders = new OwnOrders(ownSites, access, runtime.kinds().model(), loader);
        var siteLogin = new SiteLogin(catalogue, runtime.kinds(), work, new ShownSecrets(tables, runtime.clock()));
        var warnings = new LeaseWarnings(
                settings.leaseWarnings().stream().map(Span::duration).toList());
        var mailboxes = settings.mail().map(_ -> new Mailboxes(tables, runtime.clock()));
        var logins = new Logins(
                tables,
                runtime.clock(),
                new Logins.Options(
                        seen,
                        settings.login().map(login -> new OpenIdProvider(login, runtime.environment())),
                        testLogin,
                        settings.limits(),
                        List.of("/health/live", "/health/ready", "/v1/openapi.json", "/v1/login", PageFiles.PATH)),
                (event, person, from) -> {
                    mailboxes.filter(_ -> event == Logins.Event.LOGIN).ifPresent(all -> all.keep(person));
                    sites.audited(
                            new Caller(person.id(), person.name(), from),
                            event.name().toLowerCase(Locale.ROOT));
                });
        var feed = new EventFeed(tables, sites);
        var routes = new ArrayList<Route>();
        routes.add(Route.get("/health/live", Service::well));
        routes.add(Route.get("/health/ready", exchange -> {
            tables.in(handle -> handle.execute("SELECT 1"));
            well(exchange);
        }));
        routes.addAll(logins.routes());
        routes.addAll(
                new Api(logins.ways(), catalogue, sites, work, access, ownOrders, feed, siteLogin, mailboxes).routes());
        routes.addAll(new Pages(
                        catalogue,
                        sites,
                        work,
                        access,
                        ownOrders,
                        runtime.kinds(),
                        runtime.clock(),
                        warnings,
                        siteLogin,
                        mailboxes)
                .routes());
        mailboxes.ifPresent(all -> routes.addAll(new MailPage(all).routes()));
        routes.addAll(new SecretPage(access, siteLogin).routes());
        routes.addAll(new ChangePages(sites, access, ownOrders, runtime.kinds()).routes());
        routes.addAll(PageFiles.routes());
        opened(worker).start();
        settings.mail()
                .map(mail -> new Mailer(tables, sites, mail, runtime.environment(), warnings, seen, runtime.clock()))
                .ifPresent(mailer -> opened(mailer).start());
        // What was opened last is closed first: streams of events end, then requests, then work, then the tables.
        parts.remove(http);
        opened(http);
        settings.metrics().ifPresent(listen -> {
            var counts = new Metrics(sites, http);
            var server = opened(new HttpServer(address(listen), Optional.empty()));
            var at = URI.create("http://" + withPort(listen, server.port()));
            server.start(at, new Router(List.of(Route.get("/metrics", counts::send)), _ -> {}, new Problems()));
            metrics = Optional.of(at.resolve("/metrics"));
        });
        opened(feed);
        http.start(seen, new Router(routes, known(logins.guard(), people), new PageProblems(new Problems())));
    }

    /** Whoever is let in is known from then on: sites may be shared with that person. */
    private static Router.Guard known(Router.Guard guard, People people) {
        return exchange -> {
            guard.admit(exchange);
            exchange.kept(Person.class).ifPresent(people::seen);
        };
    }

    private static void well(Exchange exchange) throws IOException {
        exchange.send(200, "text/plain; charset=utf-8", "well\n");
    }

    private static InetSocketAddress address(String listen) {
        int colon = listen.lastIndexOf(':');
        return new InetSocketAddress(
                listen.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(listen.substring(colon + 1)));
    }

    private static String withPort(String listen, int port) {
        return listen.replaceFirst("[0-9]+$", String.valueOf(port));
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    /** Runs go on in another process, or with the next start. */
    @Override
    public void close() {
        var faults = new ArrayList<Exception>();
        parts.forEach(part -> {
            try {
                part.close();
            } catch (Exception e) {
                faults.add(e);
            }
        });
        if (!faults.isEmpty()) {
            var first = faults.getFirst();
            throw new Failure(
                    Diagnostic.error(Code.NOT_SERVED, "It did not stop as it should: " + first.getMessage() + ".", ""),
                    first);
        }
    }
}
