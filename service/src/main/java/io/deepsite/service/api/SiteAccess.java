package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Access;
import io.deepsite.service.access.Person;
import io.deepsite.service.access.Role;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;
import io.deepsite.service.sites.Caller;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.site.Name;
import java.util.Optional;

/** Who may see and change which site. A site of others looks like one that is not there. */
public final class SiteAccess {
    private final Access access;
    private final SiteService sites;

    public SiteAccess(Access access, SiteService sites) {
        this.access = access;
        this.sites = sites;
    }

    public Access roles() {
        return access;
    }

    public static Caller caller(Exchange exchange) {
        var person = Logins.required(exchange);
        return new Caller(person.id(), person.name(), exchange.from());
    }

    /** @throws Failure NOT_ALLOWED */
    public Name member(Exchange exchange, String project) {
        access.require(Logins.required(exchange), project, Role.USER);
        return Name.parse(project);
    }

    /**
     * Whose sites somebody sees in a project.
     *
     * @return empty: all
     */
    public Optional<String> only(Exchange exchange, String project) {
        var person = Logins.required(exchange);
        return manages(person, project) ? Optional.empty() : Optional.of(person.id());
    }

    /** @throws Failure NOT_FOUND */
    public SiteService.View seen(Exchange exchange, String site) {
        var view = sites.site(site);
        if (!isOf(Logins.required(exchange), view.site())) {
            throw SiteService.unknown();
        }
        return view;
    }

    /**
     * What only its owner may have: what is done with it counts as done by that person.
     *
     * @throws Failure NOT_FOUND, NOT_ALLOWED
     */
    public SiteService.View own(Exchange exchange, String site) {
        var view = seen(exchange, site);
        if (!isOwn(exchange, view.site())) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED,
                    "Only " + view.site().ownerName() + ", who ordered this site, gets what opens it.",
                    "Order a site of your own."));
        }
        return view;
    }

    public boolean isOwn(Exchange exchange, SiteRow site) {
        return site.owner().equals(Logins.required(exchange).id());
    }

    /** Whether who asked for an answer that goes on may still have it. */
    boolean isStillSeen(Exchange exchange, SiteRow site) {
        return Logins.current(exchange).filter(person -> isOf(person, site)).isPresent();
    }

    /** @throws Failure NOT_FOUND, NOT_ALLOWED */
    public SiteService.View managed(Exchange exchange, String site) {
        var view = seen(exchange, site);
        access.require(Logins.required(exchange), view.site().project(), Role.MANAGER);
        return view;
    }

    public boolean isManaged(Exchange exchange, SiteRow site) {
        return manages(Logins.required(exchange), site.project());
    }

    /** Who has left a project has no more rights in it. */
    private boolean isOf(Person person, SiteRow site) {
        boolean member = access.role(person, site.project()).isPresent();
        return (member && site.owner().equals(person.id())) || manages(person, site.project());
    }

    private boolean manages(Person person, String project) {
        return access.role(person, project)
                .filter(role -> role.includes(Role.MANAGER))
                .isPresent();
    }
}
