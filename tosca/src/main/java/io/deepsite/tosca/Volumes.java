package io.deepsite.tosca;

import io.deepsite.site.Size;
import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.Template.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Block storage that is attached to machines becomes volumes of the site. */
final class Volumes {
    private static final String STORAGE = "local_storage";

    private final Functions functions;
    private final Map<String, String> groups;
    private final List<Left> left;
    private final Set<String> names = new HashSet<>();

    /** @param groups names of machine groups by those of their nodes */
    Volumes(Functions functions, Map<String, String> groups, List<Left> left) {
        this.functions = functions;
        this.groups = groups;
        this.left = left;
    }

    /** @param location where machines mount it; empty if the template does not say */
    private record Attached(Node machine, String location) {}

    /**
     * Adds to the site what its provider can make: one file system that all these machines mount.
     *
     * @return the names of the nodes that are in it, or need not be
     */
    Set<String> add(Collection<Node> nodes, SiteText text, boolean shared) {
        var mapped = new HashSet<String>();
        for (var storage : nodes) {
            if (!storage.type().endsWith("BlockStorage")) {
                continue;
            }
            mapped.add(storage.name());
            var properties = functions.resolve(storage, storage.properties());
            var size = properties.get("size").text().flatMap(Sizes::parse);
            if (properties.get("volume_id").text().filter(id -> !id.isEmpty()).isPresent()) {
                leave(storage, "A volume that exists already is not taken over; the site makes its own.");
            } else if (size.isPresent()) {
                volume(storage, size.get(), attached(storage, nodes), text, shared);
            }
            // Templates ask for a volume of no size where none is wanted.
        }
        return mapped;
    }

    private void volume(Node storage, Size size, List<Attached> attached, SiteText text, boolean shared) {
        var places = new TreeSet<String>();
        attached.forEach(each -> places.add(each.location()));
        if (places.size() != 1 || !places.first().matches("(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")) {
            leave(storage, "The template names no one folder at which machines of the site mount it.");
        } else if (places.first().matches("/home(/.*)?")) {
            leave(storage, "The homes are a volume of the cluster: home.size is its size.");
        } else if (!shared) {
            leave(
                    storage,
                    "Machines of this provider cannot mount one volume together; below provider, groups have disks of"
                            + " their own.");
        } else {
            var of = attached.stream()
                    .map(each -> groups.getOrDefault(each.machine().name(), ""))
                    .distinct()
                    .toList();
            var name = Names.unused(storage.name(), names);
            names.add(name);
            text.volume(
                    name,
                    List.of("mount: " + places.first(), "groups: [" + String.join(", ", of) + "]", "size: " + size));
            left.add(new Left(
                    what(storage),
                    storage.value().line(),
                    "All machines of " + String.join(", ", of) + " mount the same volume.",
                    false));
        }
    }

    private List<Attached> attached(Node storage, Collection<Node> nodes) {
        var found = new LinkedHashMap<String, Attached>();
        for (var machine : nodes) {
            if (!groups.containsKey(machine.name())) {
                continue;
            }
            for (var requirement :
                    new ArrayList<>(machine.value().get("requirements").items())) {
                var target = requirement.get(STORAGE);
                if (target.get("node").text().filter(storage.name()::equals).isPresent()) {
                    var place = functions.resolve(
                            machine, target.at("relationship", "properties").get("location"));
                    found.put(machine.name(), new Attached(machine, place.text().orElse("")));
                }
            }
        }
        return List.copyOf(found.values());
    }

    private void leave(Node storage, String why) {
        left.add(new Left(what(storage), storage.value().line(), why, true));
    }

    private static String what(Node storage) {
        return storage.name() + " (" + storage.type() + ")";
    }
}
