package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Access;
import io.deepsite.service.access.People;
import io.deepsite.service.access.Person;
import io.deepsite.service.access.Role;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;
import io.deepsite.service.sites.Caller;
import io.deepsite.service.sites.ShareRow;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;

/** Who may see and change which site. A site of others looks like one that is not there. */
public final class SiteAccess {
    private final Access access;
    private final People people;
    private final SiteService sites;

    public SiteAccess(Access access, People people, SiteService sites) {
        this.access = access;
        this.people = people;
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
     * What only its owner and managers of its project decide; colleagues see it, and work with it.
     *
     * @throws Failure NOT_FOUND, NOT_ALLOWED
     */
    public SiteService.View decided(Exchange exchange, String site) {
        var view = seen(exchange, site);
        if (!decides(exchange, view.site())) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED,
                    "This site is shared with you: " + view.site().ownerName()
                            + ", who ordered it, and managers of the project decide about it.",
                    "Ask one of them."));
        }
        return view;
    }

    /** @throws Failure NOT_FOUND, NOT_ALLOWED */
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

    public boolean decides(Exchange exchange, SiteRow site) {
        var person = Logins.required(exchange);
        return site.owner().equals(person.id()) || manages(person, site.project());
    }

    /** The account of the caller on its machines: what is done there counts as done by that person. */
    public Optional<String> account(Exchange exchange, SiteRow site) {
        var person = Logins.required(exchange);
        return site.owner().equals(person.id())
                ? site.account()
                : sites.sharing().with(site.id(), person.id()).flatMap(ShareRow::account);
    }

    /** @throws Failure NOT_ALLOWED, NOT_NOW: the caller has no account there, or not yet */
    public String login(Exchange exchange, SiteRow site) {
        var account = account(exchange, site);
        if (account.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED,
                    "You have no account on the machines of this site.",
                    "Only who ordered a site, and people with whom it is shared, have one; a template or a site.yaml"
                            + " may also give none."));
        }
        if (!site.isUsable()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_NOW,
                    "Nobody logs in to a site that has not been ready yet, or is deleted.",
                    "Look at its events."));
        }
        return account.get();
    }

    /**
     * A member of a project who was here before.
     *
     * @param idOrName exactly
     * @throws Failure REQUEST, if there is none, or more than one of that name
     */
    public Person known(String project, String idOrName) {
        var found = people.named(idOrName).stream()
                .filter(person -> access.role(person, project).isPresent())
                .toList();
        if (found.size() != 1) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST,
                    found.isEmpty()
                            ? "No member of the project " + project + " who was here before is called that."
                            : found.size() + " members of the project have this name.",
                    found.isEmpty()
                            ? "Write the name as it is shown to that person at the top of the page, after a first login."
                            : "Name one by the id: " + String.join(", ", ids(found)) + "."));
        }
        return found.getFirst();
    }

    private static List<String> ids(List<Person> people) {
        return people.stream().map(Person::id).toList();
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
        return manages(person, site.project())
                || (member
                        && (site.owner().equals(person.id())
                                || sites.sharing().with(site.id(), person.id()).isPresent()));
    }

    private boolean manages(Person person, String project) {
        return access.role(person, project)
                .filter(role -> role.includes(Role.MANAGER))
                .isPresent();
    }
}
