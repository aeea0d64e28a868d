package io.deepsite.site;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Software across machine groups. In YAML the key {@code kind} chooses the record. */
public interface Cluster {

    /** The value of {@code kind}. */
    String kind();

    /** Machine groups it runs on, in the order they are named. */
    Set<Name> groups();

    /** What it runs where, in the words of its keys in site.yaml: for pictures. */
    default List<Part> parts() {
        return List.of(new Part("machines", List.copyOf(groups())));
    }

    /** Networks that it makes or uses, beside that of the machines: for pictures. */
    default List<SiteNetwork> describedNetworks() {
        return List.of();
    }

    /** Whether it takes commands of its users ({@code deepsite run}); a cloud runs machines instead. */
    default boolean runsCommands() {
        return true;
    }

    /** Another site.yaml, beside the one that has this cluster: machines that this cloud makes as its last proof. */
    default Optional<String> firstRun() {
        return Optional.empty();
    }

    /**
     * A part of a cluster.
     *
     * @param name such as {@code controller}
     * @param groups the machine groups that have it
     */
    record Part(String name, List<Name> groups) {
        public Part {
            groups = List.copyOf(groups);
        }
    }
}
