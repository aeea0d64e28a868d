package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Role;
import io.deepsite.service.catalogue.Catalogue;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.login.Logins;
import io.deepsite.service.sites.Quota;
import io.deepsite.service.sites.SiteService;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the API says of projects: what they use, what they may order, and who did what. */
final class ProjectOperations {
    private final Catalogue catalogue;
    private final SiteService sites;
    private final SiteAccess access;

    ProjectOperations(Catalogue catalogue, SiteService sites, SiteAccess access) {
        this.catalogue = catalogue;
        this.sites = sites;
        this.access = access;
    }

    List<Operation> all() {
        return List.of(
                Operation.get(
                        "/v1/projects",
                        "listProjects",
                        "Projects of the caller, and what they use.",
                        Bodies.ProjectList.class,
                        List.of(),
                        this::projects),
                Operation.get(
                        "/v1/catalogue",
                        "listTemplates",
                        "What members of a project may order.",
                        Bodies.TemplateList.class,
                        List.of(Requests.PROJECT),
                        this::templates),
                Operation.get(
                        "/v1/catalogue/{template}/picture",
                        "getPicture",
                        "The picture of a template.",
                        null,
                        List.of(),
                        this::picture),
                Operation.post(
                        "/v1/catalogue/{template}/cost",
                        "askCost",
                        "What a site would take of the project's quota.",
                        Bodies.CostQuestion.class,
                        200,
                        Bodies.Cost.class,
                        this::cost),
                Operation.get(
                        "/v1/audit",
                        "listAudit",
                        "Who did what in a project, the latest first; for its managers.",
                        Bodies.AuditPage.class,
                        List.of(
                                Requests.PROJECT,
                                Requests.LIMIT,
                                new Operation.Query("before", "integer", false, "Only entries before this one.")),
                        this::audit));
    }

    private void projects(Exchange exchange) throws IOException {
        var person = Logins.required(exchange);
        var all = access.roles().projects(person).stream()
                .map(name -> new Bodies.ProjectUse(
                        name,
                        access.roles().role(person, name).orElse(Role.USER).word(),
                        Bodies.Share.of(sites.usage(access.member(exchange, name)))))
                .toList();
        ApiJson.send(exchange, 200, new Bodies.ProjectList(all));
    }

    private void templates(Exchange exchange) throws IOException {
        var project = access.member(exchange, Requests.required(exchange, "project"));
        ApiJson.send(
                exchange,
                200,
                new Bodies.TemplateList(catalogue.templates().stream()
                        .filter(template -> template.isFor(project))
                        .map(Views::of)
                        .toList()));
    }

    private void picture(Exchange exchange) throws IOException {
        Logins.required(exchange);
        var file = catalogue
                .template(exchange.parameter("template"))
                .picture()
                .orElseThrow(() -> new Failure(Diagnostic.error(Code.NOT_FOUND, "This template has no picture.", "")));
        exchange.send(200, file.toString().endsWith(".svg") ? "image/svg+xml" : "image/png", Files.readAllBytes(file));
    }

    private void cost(Exchange exchange) throws IOException {
        var question = ApiJson.read(exchange, Bodies.CostQuestion.class);
        var project = access.member(exchange, Requests.given(question.project(), "project"));
        var template = catalogue.template(exchange.parameter("template"));
        var shares = sites.cost(
                project,
                template.yamlFor(Catalogue.SAMPLE_ACCOUNT),
                question.parameters().orElse(Map.of()));
        ApiJson.send(
                exchange,
                200,
                new Bodies.Cost(Bodies.Share.of(shares), shares.stream().allMatch(Quota.Share::fits)));
    }

    private void audit(Exchange exchange) throws IOException {
        var project = access.member(exchange, Requests.required(exchange, "project"));
        access.roles().require(Logins.required(exchange), project.value(), Role.MANAGER);
        int limit = Requests.limit(exchange);
        var found = sites.audit(
                project, exchange.query("before").map(Requests::number).orElse(Long.MAX_VALUE), limit);
        ApiJson.send(
                exchange,
                200,
                new Bodies.AuditPage(
                        found.stream()
                                .map(entry -> new Bodies.AuditEntry(
                                        entry.seq(),
                                        entry.at(),
                                        entry.who(),
                                        entry.from(),
                                        entry.action(),
                                        entry.site(),
                                        entry.detail()))
                                .toList(),
                        found.size() < limit
                                ? Optional.empty()
                                : Optional.of(found.getLast().seq())));
    }
}
