package io.deepsite.service.page;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.api.OwnOrders;
import io.deepsite.service.api.SiteAccess;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.Route;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.site.Name;
import io.deepsite.tosca.ImportedSite.Left;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Pages for a site.yaml of one's own, for another size of a site, and for sharing it. */
public final class ChangePages {
    private static final String SITE = "/sites/{site}";
    private static final String OWN = "/own/{project}";
    private static final String EXAMPLE = """
            apiVersion: deepsite/v1
            site: mine
            parameters:
              nodes: {type: integer, default: 2, min: 1, max: 8}
            machines:
              head: {image: IMAGE, cpus: 2, memory: 2GiB}
              node: {image: IMAGE, count: "${nodes}", cpus: 1, memory: 1GiB}
            clusters:
              hpc: {kind: slurm, controller: head, compute: [node]}
            """;

    private final SiteService sites;
    private final SiteAccess access;
    private final OwnOrders own;
    private final ClusterKinds kinds;

    public ChangePages(SiteService sites, SiteAccess access, OwnOrders own, ClusterKinds kinds) {
        this.sites = sites;
        this.access = access;
        this.own = own;
        this.kinds = kinds;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(OWN, exchange -> own(exchange, 200, Map.of(), List.of(), List.of())),
                Route.post(OWN, this::ordered),
                Route.post(OWN + "/tosca", this::tosca),
                Route.get(SITE + "/resize", exchange -> resize(exchange, 200, Map.of(), List.of())),
                Route.post(SITE + "/resize", this::resized),
                Route.post(SITE + "/shares", this::shared),
                Route.post(SITE + "/shares/{share}/end", this::unshared));
    }

    private Name project(Exchange exchange) {
        return access.member(exchange, exchange.parameter("project"));
    }

    private void own(Exchange exchange, int status, Map<String, String> sent, List<Left> left, List<Diagnostic> faults)
            throws IOException {
        var project = project(exchange);
        var terms = own.terms(exchange, project);
        PageWriter.send(
                exchange,
                status,
                "own",
                new OwnModel(
                        Frame.of(exchange, "A site of your own"),
                        project.value(),
                        String.join(", ", terms.granted()),
                        String.join(", ", terms.images()),
                        sent.getOrDefault("site-title", "A site of my own"),
                        sent.getOrDefault(
                                "site-yaml",
                                EXAMPLE.replace("IMAGE", terms.images().getFirst())),
                        sent.getOrDefault("tosca", ""),
                        sent.getOrDefault("site-start", ""),
                        left,
                        faults));
    }

    private void ordered(Exchange exchange) throws IOException {
        var sent = textOrFile(exchange, "site-yaml", "site-file");
        var project = project(exchange);
        try {
            var view = sites.order(
                    SiteAccess.caller(exchange),
                    own.order(
                            exchange,
                            project,
                            sent.getOrDefault("site-yaml", ""),
                            Optional.ofNullable(sent.get("site-title")),
                            new TreeMap<>(),
                            Pages.start(sent.getOrDefault("site-start", ""))),
                    Optional.empty());
            exchange.redirect("/sites/" + view.site().id());
        } catch (Failure e) {
            own(exchange, 422, sent, List.of(), e.diagnostics());
        }
    }

    private void tosca(Exchange exchange) throws IOException {
        var sent = textOrFile(exchange, "tosca", "tosca-file");
        var project = project(exchange);
        try {
            var made = own.ofTosca(exchange, project, sent.getOrDefault("tosca", ""), Map.of());
            sent.put("site-yaml", made.text());
            own(exchange, 200, sent, made.left(), List.of());
        } catch (Failure e) {
            own(exchange, 422, sent, List.of(), e.diagnostics());
        }
    }

    /** What was sent, with the text of a chosen file in place of what was typed. */
    private static Map<String, String> textOrFile(Exchange exchange, String field, String file) throws IOException {
        var sent = new HashMap<>(exchange.form());
        var text = sent.getOrDefault(file, sent.getOrDefault(field, ""));
        // Browsers end the lines of a text area as the web does.
        sent.put(field, text.replace("\r\n", "\n"));
        return sent;
    }

    private void resize(Exchange exchange, int status, Map<String, String> sent, List<Diagnostic> faults)
            throws IOException {
        var site = access.decided(exchange, exchange.parameter("site")).site();
        PageWriter.send(
                exchange,
                status,
                "resize",
                new ResizeModel(
                        Frame.of(exchange, "Another size for " + site.title()), site.id(), fields(site, sent), faults));
    }

    private List<OrderModel.Field> fields(SiteRow site, Map<String, String> sent) {
        return kinds
                .loader()
                .load("site.yaml", site.yaml(), site.parameters())
                .orFail()
                .parameters()
                .entrySet()
                .stream()
                .map(entry -> {
                    var name = entry.getKey().value();
                    return OrderModel.Field.of(
                            name,
                            entry.getValue(),
                            Optional.ofNullable(sent.get(name))
                                    .or(() -> Optional.ofNullable(
                                            site.parameters().get(name))));
                })
                .toList();
    }

    private void resized(Exchange exchange) throws IOException {
        var sent = exchange.form();
        var site = access.decided(exchange, exchange.parameter("site")).site();
        var changes = new TreeMap<String, String>();
        // A field that shows what the site has already asks for nothing.
        fields(site, Map.of()).forEach(field -> {
            var value = sent.get(field.name());
            if (value != null && !value.equals(field.value())) {
                changes.put(field.name(), value);
            }
        });
        try {
            own.checkResize(site, changes);
            sites.resizing().resize(SiteAccess.caller(exchange), site.id(), changes, Optional.of(site.version()));
            exchange.redirect("/sites/" + site.id());
        } catch (Failure e) {
            resize(exchange, 422, sent, e.diagnostics());
        }
    }

    private void shared(Exchange exchange) throws IOException {
        var site = access.decided(exchange, exchange.parameter("site")).site();
        var person = access.known(
                site.project(), exchange.form().getOrDefault("person", "").strip());
        sites.sharing().share(SiteAccess.caller(exchange), site.id(), person);
        exchange.redirect("/sites/" + site.id());
    }

    private void unshared(Exchange exchange) throws IOException {
        var site = access.decided(exchange, exchange.parameter("site")).site();
        sites.sharing().end(SiteAccess.caller(exchange), site.id(), exchange.parameter("share"));
        exchange.redirect("/sites/" + site.id());
    }
}
