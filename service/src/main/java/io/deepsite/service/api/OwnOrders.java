package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.catalogue.OwnSites;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;
import io.deepsite.service.sites.Resizing;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.site.Name;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.site.load.SiteModel;
import io.deepsite.tosca.ImportedSite;
import io.deepsite.tosca.ToscaImport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Sites whose site.yaml their users write, or have made of a template of TOSCA, where their role allows it. */
public final class OwnOrders {
    private static final Name SITE = Name.parse("site");

    private final OwnSites own;
    private final SiteAccess access;
    private final SiteModel model;
    private final SiteLoader loader;

    public OwnOrders(OwnSites own, SiteAccess access, SiteModel model, SiteLoader loader) {
        this.own = own;
        this.access = access;
        this.model = model;
        this.loader = loader;
    }

    /** Whether the caller may hand one in. */
    public boolean mayOrder(Exchange exchange, Name project) {
        var person = Logins.required(exchange);
        return own.role(project)
                .flatMap(least -> access.roles().role(person, project.value()).filter(has -> has.includes(least)))
                .isPresent();
    }

    private void require(Exchange exchange, Name project) {
        access.roles()
                .require(
                        Logins.required(exchange),
                        project.value(),
                        own.settings(project).role());
    }

    /**
     * What the administrator decides.
     *
     * @param granted keys at the top of every file
     * @param images never empty
     */
    public record Terms(List<String> granted, List<String> images) {}

    /** @throws Failure NOT_ALLOWED */
    public Terms terms(Exchange exchange, Name project) {
        require(exchange, project);
        return new Terms(
                SiteLoader.topKeys(own.base(project)).stream().sorted().toList(),
                own.settings(project).images().stream().map(Object::toString).toList());
    }

    /** @throws Failure NOT_ALLOWED, or with the faults of the text, each at its place */
    public SiteService.Order order(
            Exchange exchange,
            Name project,
            String text,
            Optional<String> title,
            SortedMap<String, String> parameters,
            Optional<Instant> startsAt) {
        require(exchange, project);
        var whole = own.complete(project, text, parameters);
        return new SiteService.Order(
                project,
                title.orElse("A site of my own"),
                Optional.empty(),
                whole,
                OwnSites.takesAccount(whole),
                parameters,
                startsAt);
    }

    /**
     * Also with other values, an own site may have nothing else than before.
     *
     * @throws Failure ADMINISTRATORS_KEY, NOT_ALLOWED
     */
    public void checkResize(SiteRow site, Map<String, String> changes) {
        if (site.template().isEmpty()) {
            own.check(
                    Name.parse(site.project()),
                    loader.load(OwnSites.FILE, site.yaml(), Resizing.parameters(site, changes)));
        }
    }

    /** @throws Failure NOT_ALLOWED, TOSCA_UNREADABLE, TOSCA_VERSION, TOSCA_INPUT, TOSCA_OVERLAY */
    public ImportedSite ofTosca(Exchange exchange, Name project, String text, Map<String, String> inputs) {
        require(exchange, project);
        var made = ToscaImport.completedBy(
                        model,
                        SITE,
                        own.settings(project).images().getFirst(),
                        OwnSites.withSomebody(own.base(project)))
                .run("tosca.yaml", text, inputs);
        if (made.text().isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.TOSCA_INPUT,
                    "The template has no machine (tosca.nodes.Compute), so there is nothing to make a site of.",
                    "Give a template of a cluster."));
        }
        return made;
    }
}
