package io.deepsite.tosca;

import io.deepsite.site.Name;
import io.deepsite.site.load.SiteModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The text of a site.yaml in the making. What it begins with is what {@code init} writes for the provider. */
final class SiteText {
    private static final Pattern IMAGE = Pattern.compile("image: ([^,}\\s]+)");

    private final SiteModel model;
    private final Name site;
    private final Template template;
    private final String machines;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final StringBuilder groups = new StringBuilder();
    private final StringBuilder volumes = new StringBuilder();
    private final StringBuilder clusters = new StringBuilder();
    private String front = "";

    /** @param machines what a site.yaml of this provider begins with, down to machines with an image */
    SiteText(SiteModel model, String machines, Name site, Template template) {
        this.model = model;
        this.site = site;
        this.template = template;
        this.machines = machines;
    }

    /** The provider's usual one; empty where hosts exist already. */
    Optional<String> image() {
        var found = IMAGE.matcher(machines);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** What {@code init} writes for a key of a kind. */
    String usual(String kind, String key) {
        var found = Pattern.compile("(?m)^ *" + Pattern.quote(key.strip()) + ": ([^#\\s]+)")
                .matcher(model.kind(kind).orElseThrow().template());
        if (!found.find()) {
            throw new IllegalStateException("the template of " + kind + " has no " + key);
        }
        return found.group(1);
    }

    /** Declares a parameter for an input, and returns how a value names it. */
    String parameter(String input, String type, String value, Optional<String> description) {
        var name = Names.of(input);
        parameters.putIfAbsent(
                name,
                "{type: " + type + ", default: " + value
                        + description
                                .map(text -> ", description: " + quoted(text))
                                .orElse("") + "}");
        return "\"${" + name + "}\"";
    }

    /** The group of a cluster's first machine, which users reach. */
    void front(String group) {
        front = group;
    }

    void group(String name, List<String> keys) {
        front = front.isEmpty() ? name : front;
        groups.append("  ")
                .append(name)
                .append(": {")
                .append(String.join(", ", keys))
                .append("}\n");
    }

    void volume(String name, List<String> keys) {
        volumes.append("  ")
                .append(name)
                .append(": {")
                .append(String.join(", ", keys))
                .append("}\n");
    }

    void cluster(String name, String kind, List<String> keys) {
        clusters.append("  ").append(name).append(":\n    kind: ").append(kind).append('\n');
        keys.forEach(key -> clusters.append("    ").append(key).append('\n'));
    }

    String whole() {
        var text = new StringBuilder();
        text.append("# Made of ").append(comment(template.file().getFileName().toString()));
        template.title().ifPresent(title -> text.append(": ").append(comment(title)));
        text.append("\n# deepsite plan shows what this would make; deepsite apply makes it, and proves it works.\n");
        text.append("apiVersion: ")
                .append(SiteModel.API_VERSION)
                .append("\nsite: ")
                .append(site)
                .append("\n\n");
        text.append(beforeMachines());
        if (!parameters.isEmpty()) {
            text.append("# Inputs of the template: deepsite apply --set NAME=VALUE\nparameters:\n");
            parameters.forEach((name, value) ->
                    text.append("  ").append(name).append(": ").append(value).append('\n'));
            text.append('\n');
        }
        text.append("machines:\n").append(groups);
        if (!volumes.isEmpty()) {
            text.append("\nvolumes:\n").append(volumes);
        }
        if (!clusters.isEmpty()) {
            text.append("\nclusters:\n").append(clusters);
        }
        return text.toString();
    }

    private String beforeMachines() {
        // The one name of a machine that it may have.
        return machines.substring(0, machines.indexOf("machines:\n")).replaceAll(": head(?=\\s)", ": " + front);
    }

    /** A line of YAML that no word of the template can leave. */
    private static String comment(String text) {
        return text.strip().replaceAll("[\\p{Cntrl}\\p{Cf}\\s]+", " ").replace("${", "$ {");
    }

    private static String quoted(String text) {
        return '"' + comment(text).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
