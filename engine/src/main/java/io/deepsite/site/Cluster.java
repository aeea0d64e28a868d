package io.deepsite.site;

import java.util.Optional;
import java.util.Set;

/** Software across machine groups. In YAML the key {@code kind} chooses the record. */
public interface Cluster {

    /** The value of {@code kind}. */
    String kind();

    /** Machine groups it runs on, in the order they are named. */
    Set<Name> groups();

    /** Whether it takes commands of its users ({@code deepsite run}); a cloud runs machines instead. */
    default boolean runsCommands() {
        return true;
    }

    /** Another site.yaml, beside the one that has this cluster: machines that this cloud makes as its last proof. */
    default Optional<String> firstRun() {
        return Optional.empty();
    }
}
