package io.deepsite.client;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Projects and sites of a service. */
public final class Sites {
    private static final String PAGE = "500";
    private static final String SITES = "/v1/sites";

    private final ServiceClient client;

    public Sites(ServiceClient client) {
        this.client = client;
    }

    /** Of the caller, by name. */
    public List<String> projects() {
        return client.get("/v1/projects")
                .path("projects")
                .valueStream()
                .map(project -> project.path("name").asString(""))
                .toList();
    }

    /**
     * The project to order in.
     *
     * @throws Failure COMMAND_LINE if there are several, NOT_ALLOWED if there is none
     */
    public String project(Optional<String> named) {
        if (named.isPresent()) {
            return named.get();
        }
        var all = projects();
        if (all.size() == 1) {
            return all.getFirst();
        }
        throw new Failure(
                all.isEmpty()
                        ? Diagnostic.error(
                                Code.NOT_ALLOWED,
                                "You are a member of no project of " + client.service() + ".",
                                "Ask its administrator. deepsite whoami shows your groups.")
                        : Diagnostic.error(
                                Code.COMMAND_LINE,
                                "You are a member of several projects: " + String.join(", ", all) + ".",
                                "Name one: --project " + all.getFirst()));
    }

    /** What members of a project may order. */
    public JsonNode templates(String project) {
        return client.get("/v1/catalogue", "project", project);
    }

    /** What a site takes of its project's quota. */
    public JsonNode cost(String project, String template, Map<String, String> parameters) {
        return client.post("/v1/catalogue/" + template + "/cost", Map.of("project", project, "parameters", parameters));
    }

    /**
     * Sites that are not deleted.
     *
     * @param own only those that the caller ordered
     */
    public List<OrderedSite> all(String project, boolean own) {
        var all = new ArrayList<OrderedSite>();
        var before = Optional.<String>empty();
        do {
            var query = new ArrayList<>(List.of("project", project, "limit", PAGE, "own", Boolean.toString(own)));
            before.ifPresent(id -> query.addAll(List.of("before", id)));
            var page = client.get(SITES, query.toArray(String[]::new));
            page.path("sites").forEach(site -> all.add(OrderedSite.of(site)));
            before = page.path("next").asStringOpt();
        } while (before.isPresent());
        return all;
    }

    public OrderedSite site(String id) {
        return OrderedSite.of(client.get(SITES + "/" + id));
    }

    /**
     * By id, by name, or one of the caller's own by its title.
     *
     * @param project empty: any of the caller
     * @throws Failure COMMAND_LINE if several have this title
     */
    public Optional<OrderedSite> find(String word, Optional<String> project) {
        var projects = project.map(List::of).orElseGet(this::projects);
        var all = projects.stream().flatMap(name -> all(name, false).stream()).toList();
        var named = all.stream()
                .filter(site -> site.id().equals(word) || site.name().equals(word))
                .findFirst();
        if (named.isPresent() || all.stream().noneMatch(site -> site.title().equals(word))) {
            return named.map(site -> site(site.id()));
        }
        var titled = projects.stream()
                .flatMap(name -> all(name, true).stream())
                .filter(site -> site.title().equals(word))
                .toList();
        if (titled.size() > 1) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "Several of your sites have the title \"" + word + "\": "
                            + titled.stream().map(OrderedSite::name).collect(Collectors.joining(", ")) + ".",
                    "Give the name of one."));
        }
        return titled.stream().findFirst().map(site -> site(site.id()));
    }

    /** Orders a site of a template once, also if the connection breaks before the answer. */
    public OrderedSite order(String project, String template, Optional<String> title, Map<String, String> parameters) {
        return ordered(project, "template", template, title, parameters);
    }

    /** As {@link #order}, with the text of a whole site.yaml. */
    public OrderedSite handIn(String project, String siteYaml, String title, Map<String, String> parameters) {
        return ordered(project, "siteYaml", siteYaml, Optional.of(title), parameters);
    }

    private OrderedSite ordered(
            String project, String key, String value, Optional<String> title, Map<String, String> parameters) {
        var body = new LinkedHashMap<String, Object>();
        body.put("project", project);
        body.put(key, value);
        title.ifPresent(text -> body.put("title", text));
        body.put("parameters", parameters);
        return OrderedSite.of(client.post(
                SITES, body, Map.of("Idempotency-Key", UUID.randomUUID().toString())));
    }

    /** Plans other values of parameters for a site that has been ready; those left out stay. */
    public OrderedSite resize(OrderedSite site, Map<String, String> parameters) {
        return OrderedSite.of(client.post(
                path(site) + "/resize",
                Map.of("parameters", parameters),
                Map.of("If-Match", "\"" + site.version() + "\"")));
    }

    /**
     * The yes to the plan that this version of the site has.
     *
     * @param waits for the quota
     */
    public OrderedSite confirm(OrderedSite site, boolean waits) {
        return OrderedSite.of(client.post(
                path(site) + "/confirm", Map.of("waits", waits), Map.of("If-Match", "\"" + site.version() + "\"")));
    }

    public OrderedSite retry(OrderedSite site) {
        return OrderedSite.of(client.post(path(site) + "/retry"));
    }

    public void cancel(OrderedSite site) {
        client.post(path(site) + "/cancel");
    }

    public OrderedSite delete(OrderedSite site) {
        return OrderedSite.of(client.delete(path(site)));
    }

    /** @param by 2h */
    public OrderedSite extend(OrderedSite site, String by) {
        return OrderedSite.of(client.post(path(site) + "/lease", Map.of("extend", by)));
    }

    /** @param key the line of a .pub file */
    public JsonNode certificate(OrderedSite site, String key) {
        return client.post(path(site) + "/certificate", Map.of("key", key));
    }

    private static String path(OrderedSite site) {
        return SITES + "/" + site.id();
    }
}
