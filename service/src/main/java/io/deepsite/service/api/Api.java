package io.deepsite.service.api;

import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.service.login.Logins;
import io.deepsite.service.mail.Mailboxes;
import io.deepsite.service.sites.EventFeed;
import io.deepsite.service.sites.SiteLogin;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteWork;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The REST API {@code /v1}. */
public final class Api {
    private final LoginOperations ofLogins;
    private final ProjectOperations ofProjects;
    private final SiteOperations ofSites;
    private final MailOperations ofMail;
    private final EntryOperations ofEntry;
    private final ChangeOperations ofChanges;

    public Api(
            Logins.Ways logins,
            Catalogue catalogue,
            SiteService sites,
            SiteWork work,
            SiteAccess access,
            OwnOrders own,
            EventFeed feed,
            SiteLogin login,
            Optional<Mailboxes> mailboxes) {
        this.ofLogins = new LoginOperations(logins);
        this.ofProjects = new ProjectOperations(catalogue, sites, access);
        this.ofSites = new SiteOperations(catalogue, sites, work, access, own, feed);
        this.ofMail = new MailOperations(mailboxes);
        this.ofEntry = new EntryOperations(access, login);
        this.ofChanges = new ChangeOperations(sites, access, own);
    }

    public List<Route> routes() {
        return Stream.concat(
                        operations().stream().map(Operation::route),
                        Stream.of(Route.get("/v1/openapi.json", Api::description)))
                .toList();
    }

    List<Operation> operations() {
        return Stream.of(ofLogins.all(), ofProjects.all(), ofSites.all(), ofChanges.all(), ofEntry.all(), ofMail.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Generated from {@link #operations()} and {@link Bodies} by a test, and checked in. */
    private static void description(Exchange exchange) throws IOException {
        try (var text = Objects.requireNonNull(Api.class.getResourceAsStream("openapi.json"), "openapi.json")) {
            exchange.send(200, "application/json", text.readAllBytes());
        }
    }
}
