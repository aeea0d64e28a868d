package io.deepsite.tosca;

import io.deepsite.site.Size;
import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.Template.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Compute nodes become machine groups. */
final class Machines {
    private static final List<String> TYPES = List.of("tosca.nodes.Compute", "tosca.nodes.indigo.Compute");
    /** Ports that deepsite itself needs, and reaches. */
    private static final List<String> USUAL_PORTS = List.of("22");

    private final Inputs inputs;
    private final Functions functions;
    private final SiteText text;
    private final Numbers numbers;
    private final ElasticGroups elastic;
    private final List<Left> left;

    Machines(
            Inputs inputs,
            Functions functions,
            SiteText text,
            Numbers numbers,
            ElasticGroups elastic,
            List<Left> left) {
        this.inputs = inputs;
        this.functions = functions;
        this.text = text;
        this.numbers = numbers;
        this.elastic = elastic;
        this.left = left;
    }

    /** Returns the names of the groups by those of their nodes. */
    Map<String, String> add(Collection<Node> nodes) {
        var groups = new LinkedHashMap<String, String>();
        nodes.stream().filter(node -> TYPES.contains(node.type())).forEach(node -> {
            var group = Names.unused(node.name(), groups.values());
            groups.put(node.name(), group);
            add(node, group);
        });
        return groups;
    }

    private void add(Node node, String group) {
        var keys = new ArrayList<String>();
        var host = node.capability("host");
        text.image().ifPresent(image -> keys.add("image: " + image));
        count(node).ifPresent(count -> keys.add("count: " + count));
        numbers.written(node, host.get("num_cpus"), "cpus").ifPresent(cpus -> keys.add("cpus: " + cpus));
        size(node, host.get("mem_size"), "memory").ifPresent(memory -> keys.add("memory: " + memory));
        size(node, host.get("disk_size"), "disk").ifPresent(disk -> keys.add("disk: " + disk));
        gpus(node, host).ifPresent(gpus -> keys.add("gpus: [{" + gpus + "}]"));
        text.group(group, keys);
        system(node);
        leave(
                node,
                host.get("instance_type"),
                "instance_type",
                "cpus, memory and disk say how large a machine is; OpenStack gets a flavor of its own from them.");
        endpoint(node);
    }

    private Optional<String> count(Node node) {
        var lasting = elastic.of(node.name()).flatMap(ElasticGroups.Group::count);
        if (lasting.isPresent()) {
            return lasting;
        }
        var scalable = node.capability("scalable");
        for (var key : List.of("count", "default_instances", "min_instances")) {
            var count = numbers.written(node, scalable.get(key), "count");
            if (count.isPresent()) {
                return count;
            }
        }
        return Optional.empty();
    }

    private Optional<String> size(Node node, Value value, String key) {
        var input = functions.inputOf(value).filter(name -> inputs.type(name).equals("scalar-unit.size"));
        var resolved = functions.resolve(node, value).text();
        var known = resolved.flatMap(Sizes::parse).map(Size::toString);
        if (input.isPresent() && known.isPresent()) {
            return Optional.of(text.parameter(input.get(), "size", known.get(), inputs.description(input.get())));
        }
        if (resolved.isEmpty() && !value.isNone()) {
            numbers.unset(node, value, key);
        }
        return known;
    }

    private Optional<String> gpus(Node node, Value host) {
        var number = functions.resolve(node, host.get("num_gpus")).text().filter(count -> count.matches("[1-9][0-9]?"));
        return number.map(count -> {
            var keys = new ArrayList<String>();
            word(node, host.get("gpu_vendor")).ifPresent(vendor -> keys.add("vendor: " + vendor));
            word(node, host.get("gpu_model")).ifPresent(model -> keys.add("model: " + model));
            keys.add("count: " + count);
            return String.join(", ", keys);
        });
    }

    /** In lower case, with hyphens. */
    private Optional<String> word(Node node, Value value) {
        return functions
                .resolve(node, value)
                .text()
                .map(word -> word.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-"))
                .filter(word -> word.matches("[a-z0-9].*"));
    }

    private void system(Node node) {
        var os = node.capability("os");
        leave(node, os.get("image"), "image", "The image is " + text.image().orElse("the provider's") + ".");
        var distribution = functions.resolve(node, os.get("distribution")).text();
        var version = functions.resolve(node, os.get("version")).text();
        var asked = distribution
                .map(name -> name + version.map(number -> " " + number).orElse(""))
                .orElse("");
        if (!asked.isEmpty() && !asked.equals("debian 12")) {
            left.add(new Left(
                    node.name() + ": " + asked,
                    os.line(),
                    "The image is " + text.image().orElse("the provider's") + ": deepsite's roles are tested on it.",
                    false));
        }
    }

    private void endpoint(Node node) {
        var endpoint = functions.resolve(node, node.capability("endpoint"));
        endpoint.get("network_name")
                .text()
                .filter(network -> network.startsWith("PUBLIC"))
                .ifPresent(_ -> left.add(new Left(
                        node.name() + ": a public address",
                        node.capability("endpoint").line(),
                        "The provider says who has one: with OpenStack the bastion.",
                        false)));
        var ports = new ArrayList<String>();
        endpoint.get("ports").entries().values().forEach(port -> {
            var range = port.get("source_range").items();
            var source = port.get("source")
                    .text()
                    .or(() -> range.size() == 2
                            ? Optional.of(range.getFirst().text().orElse("?") + "-"
                                    + range.getLast().text().orElse("?"))
                            : Optional.empty());
            source.filter(number -> !USUAL_PORTS.contains(number)).ifPresent(ports::add);
        });
        if (!ports.isEmpty()) {
            left.add(new Left(
                    node.name() + ": ports " + String.join(", ", ports),
                    node.capability("endpoint").line(),
                    "The cluster's kind says which ports are open among the machines; open others at the provider.",
                    false));
        }
    }

    private void leave(Node node, Value value, String key, String why) {
        functions
                .resolve(node, value)
                .text()
                .ifPresent(
                        asked -> left.add(new Left(node.name() + ": " + key + " " + asked, value.line(), why, false)));
    }
}
