package io.deepsite.cli;

import io.deepsite.cli.view.Json;
import io.deepsite.cli.view.ServiceView;
import io.deepsite.client.OrderedSite;
import io.deepsite.client.RemoteFaults;
import io.deepsite.client.Sites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticFields;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What commands that change a site of a service do: show its plan, ask, follow the run, report the result. */
final class ServiceFlow {
    private static final Pattern SITE = Pattern.compile("(?m)^site: *([a-z0-9-]+)");

    private final CommandContext at;
    private final DeepsiteCommand command;
    private final AtService service;
    private final Sites sites;

    ServiceFlow(CommandContext at, DeepsiteCommand command, AtService service) {
        this.at = at;
        this.command = command;
        this.service = service;
        this.sites = service.sites();
    }

    /**
     * The site of this word, or of this title; it is ordered if there is none, and gets another size if it has other
     * parameters.
     *
     * @param word a template, a site, or a site.yaml to hand in
     * @throws Failure NOT_FOUND, NOT_NOW
     */
    OrderedSite orderedOnce(String word, Map<String, String> parameters, OrderOptions options) {
        var file = Path.of(word);
        if (word.matches(".*\\.ya?ml") && Files.isRegularFile(file)) {
            return handedInOnce(file, parameters, options);
        }
        var found = sites.find(options.title().orElse(word), options.project());
        if (found.isEmpty() && options.title().isEmpty()) {
            found = titleOf(word, options).flatMap(title -> sites.find(title, options.project()));
        }
        if (found.isPresent()) {
            requireTemplate(found.get(), word);
            return withParameters(found.get(), parameters);
        }
        var project = sites.project(options.project());
        if (titleOf(word, options).isEmpty()) {
            throw noTemplate(word, project);
        }
        return sites.order(project, word, options.title(), parameters);
    }

    private Optional<String> titleOf(String template, OrderOptions options) {
        return templates(sites.project(options.project())).stream()
                .filter(one -> one.path("id").asString("").equals(template))
                .map(one -> one.path("title").asString(""))
                .findFirst();
    }

    private List<JsonNode> templates(String project) {
        return sites.templates(project).path("templates").valueStream().toList();
    }

    private Failure noTemplate(String word, String project) {
        var all = templates(project).stream()
                .map(template -> template.path("id").asString(""))
                .collect(Collectors.joining(", "));
        return new Failure(Diagnostic.error(
                Code.NOT_FOUND,
                "\"" + word + "\" is neither a site of yours nor a template for the project " + project + ".",
                "Name a template (" + all + "), or a site by its title, name or id."));
    }

    /** The title is that which tells sites apart, and by default the name in the file: the service gives it another one. */
    private OrderedSite handedInOnce(Path file, Map<String, String> parameters, OrderOptions options) {
        var text = read(file);
        var name = SITE.matcher(text);
        var title = options.title().or(() -> name.find() ? Optional.of(name.group(1)) : Optional.empty());
        if (title.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    file + " has no line with the name of the site.",
                    "Write site: NAME, or give a title with --title."));
        }
        return sites.find(title.get(), options.project())
                .map(site -> withParameters(site, parameters))
                .orElseGet(() -> sites.handIn(sites.project(options.project()), text, title.get(), parameters));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE, file + " cannot be read: " + FileFault.words(e) + ".", "Fix it."),
                    e);
        }
    }

    /** @param word of the command line: the site itself, or its template */
    private static void requireTemplate(OrderedSite site, String word) {
        if (!List.of(site.id(), site.name(), site.title(), site.template().orElse(word))
                .contains(word)) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    "Your site \"" + site.title() + "\" is of the template "
                            + site.template().orElse("") + ", not of " + word + ".",
                    "Choose another title, or name that template."));
        }
    }

    private OrderedSite withParameters(OrderedSite site, Map<String, String> parameters) {
        var coming = site.resize().isEmpty() ? site.parameters() : site.resize();
        var others = new TreeMap<>(parameters);
        others.entrySet().removeIf(one -> one.getValue().equals(coming.get(one.getKey())));
        if (others.isEmpty()) {
            return site;
        }
        if (!site.status().equals("ready") && !site.status().equals("failed")) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_NOW,
                    "The site " + site.name() + " is " + site.status() + ", with other parameters than "
                            + others.entrySet().stream().map(Object::toString).collect(Collectors.joining(", ")) + ".",
                    "Its size changes once it is ready. Order another one with --title, or destroy this one first."));
        }
        return sites.resize(site, others);
    }

    /** Brings a site to its next rest, from wherever it is. */
    OrderedSite rested(OrderedSite site) {
        return site.moves() ? new Following(at, command, service).untilItRests(site) : site;
    }

    int plan(OrderedSite asked) {
        var site = rested(asked);
        if (site.status().equals("failed")) {
            return told(site, "apply");
        }
        if (command.json()) {
            command.printJson(planned(site));
        } else {
            show(site);
            command.say("It is " + site.status() + "."
                    + (site.status().equals("planned")
                            ? " Build it:\n\n      " + service.typeable("apply", site.name()) + "\n"
                            : ""));
        }
        return ExitCode.DONE.number();
    }

    int apply(OrderedSite asked, boolean yes, boolean waits) {
        var site = rested(asked.status().equals("failed") ? retried(asked, yes) : asked);
        if (site.status().equals("planned")) {
            if (!command.json() && !command.quiet()) {
                show(site);
            }
            if (!site.resize().isEmpty()) {
                return resized(site, yes, waits);
            }
            if (!yes && !new Question(at, command).yes("Build this?")) {
                at.terminal()
                        .err()
                        .println("Nothing was built. The order stays until you remove it:\n\n      "
                                + service.typeable("destroy", site.name()));
                return ExitCode.CANCELLED.number();
            }
            site = rested(sites.confirm(site, waits));
        }
        return told(site, "apply");
    }

    /** A no leaves the site as it was. */
    private int resized(OrderedSite site, boolean yes, boolean waits) {
        if (!yes && !new Question(at, command).yes("Change it so?")) {
            sites.cancel(site);
            at.terminal().err().println("Nothing was touched.");
            return ExitCode.CANCELLED.number();
        }
        return told(rested(sites.confirm(site, waits)), "apply");
    }

    /** A failed deletion is gone on with by destroy only. */
    private OrderedSite retried(OrderedSite site, boolean yes) {
        var last = site.runs().getFirst();
        if (last.verb().equals("delete")) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_NOW,
                    "The site " + site.name() + " was being deleted, which failed.",
                    "Go on with that:",
                    service.typeable("destroy", site.name())));
        }
        if (!command.json()) {
            at.tell(RemoteFaults.of(last.faults()));
        }
        if (!yes && !new Question(at, command).yes("It failed before. Go on where it failed?")) {
            throw new Failure(Diagnostic.error(Code.NOT_CONFIRMED, "You did not say yes. Nothing was touched.", ""));
        }
        return sites.retry(site);
    }

    int destroy(OrderedSite site, boolean yes) {
        if (!site.status().equals("deleting")) {
            if (!command.json() && !command.quiet()) {
                command.print(view().site(site));
            }
            if (!yes && !new Question(at, command).yes("Destroy the site " + site.name() + "?")) {
                at.terminal().err().println("Nothing was touched.");
                return ExitCode.CANCELLED.number();
            }
        }
        return told(rested(site.status().equals("deleting") ? site : sites.delete(site)), "destroy");
    }

    /** The result on stdout, faults on stderr. */
    private int told(OrderedSite site, String verb) {
        var faults = site.status().equals("failed")
                ? RemoteFaults.of(site.runs().getFirst().faults())
                : List.<Diagnostic>of();
        var exit = exit(site);
        if (command.json()) {
            var line = new LinkedHashMap<String, Object>();
            line.put("time", at.clock().instant().toString());
            line.put("event", "result");
            line.put("exit", exit.number());
            line.put("site", site.json());
            line.put("diagnostics", DiagnosticFields.of(faults));
            command.print(Json.line(line) + "\n");
        } else {
            at.tell(faults);
            command.print(
                    switch (site.status()) {
                        case "deleted" -> "Destroyed the site " + site.name() + ".\n";
                        case "failed" -> view().failed(site) + "\n      " + service.typeable(verb, site.name()) + "\n";
                        case "ready" -> view().ready(site) + next(site);
                        default -> view().site(site);
                    });
        }
        return exit.number();
    }

    private String next(OrderedSite site) {
        return "\nNext\n  " + service.typeable("certificate --site", site.name()) + "\n  "
                + service.typeable("status", site.name()) + "\n";
    }

    private static ExitCode exit(OrderedSite site) {
        return switch (site.status()) {
            case "ready", "deleted" -> ExitCode.DONE;
            case "failed" -> site.runs().getFirst().status().equals("cancelled") ? ExitCode.CANCELLED : ExitCode.FAILED;
            default ->
                site.runs().stream()
                                .findFirst()
                                .filter(run -> run.status().equals("cancelled"))
                                .isPresent()
                        ? ExitCode.CANCELLED
                        : ExitCode.DONE;
        };
    }

    private void show(OrderedSite site) {
        command.print(view().planned(site, cost(site)) + "\n");
    }

    private Map<String, Object> planned(OrderedSite site) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("site", site.json());
        cost(site).ifPresent(cost -> fields.put("quota", cost));
        return fields;
    }

    /** Of an order that does not count yet. */
    private Optional<JsonNode> cost(OrderedSite site) {
        return site.template()
                .filter(_ -> site.status().equals("planned") && site.resize().isEmpty())
                .map(template -> sites.cost(site.project(), template, site.parameters()));
    }

    private ServiceView view() {
        return new ServiceView(at.terminal().outStyle(), at.clock().instant());
    }
}
