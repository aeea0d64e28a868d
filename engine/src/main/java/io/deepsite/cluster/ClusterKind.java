package io.deepsite.cluster;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.ClusterModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** A kind of cluster. Pure: everything is a function of the site and its machines. */
public interface ClusterKind<C extends Cluster> extends ClusterModel<C> {

    /** What the cluster requires of its machine groups, before any machine is known. */
    Requirements requirements(Site site, Name name, C cluster);

    /** In an order that satisfies their {@code needs}. */
    List<Stage> stages(Site site, Name name, C cluster, List<Machine> machines);

    /** Each a script of its own, on one of the machines. */
    List<Acceptance> acceptance(Site site, Name name, C cluster, List<Machine> machines);

    /**
     * How to run a command through the scheduler; the user's argv is appended.
     *
     * @param user who runs it; by default the first user of the site, else the user of acceptance jobs
     */
    CommandPrefix commandPrefix(Site site, Name name, C cluster, List<Machine> machines, Optional<Name> user);

    /**
     * What cannot change while the cluster exists, or not to every value, by its key in site.yaml; an action stores it
     * as {@link ClusterKinds#MADE_WITH}.
     */
    default SortedMap<String, String> madeWith(C cluster) {
        return new TreeMap<>();
    }

    /** What it finds wrong with a plan, before anything is changed; an error refuses the plan, others are told. */
    default List<Diagnostic> review(Site site, Name name, C cluster, PlanReview plan) {
        return List.of();
    }

    /**
     * What speaks against another value of a key of {@link #madeWith}; empty: apply changes it.
     *
     * @param made the value of the existing cluster
     */
    default Optional<Refusal> refuses(Name name, C cluster, String key, String made) {
        return Optional.of(new Refusal(
                Code.CLUSTER_STANDS,
                "The cluster " + name + " was made with " + key + ": " + made
                        + ". deepsite does not change that of an existing cluster, where users' work may run."
                        + " Nothing was changed.",
                "Write " + made + " again, or rebuild the site, which loses everything in the cluster:",
                List.of("deepsite rebuild")));
    }

    /**
     * Whether its roles configure libvirt's device access on the machines of a group; the stages for passed devices
     * then do not.
     */
    default boolean configuresLibvirt(C cluster, Name group) {
        return false;
    }

    /** Machines that it has only while its work needs them; empty: all of them are always there. */
    default Optional<Elastic> elastic(C cluster) {
        return Optional.empty();
    }

    /** The commands that the kind adds to the command line, by their word; each is made when it is needed. */
    default Map<String, Supplier<? extends ClusterCommand>> commands() {
        return Map.of();
    }

    /** The options that the kind adds to {@code deepsite run}; new ones at each call. */
    default Optional<WorkOptions> workOptions() {
        return Optional.empty();
    }

    /** The file by which people log in to the cluster as themselves, at an identity provider; empty: it has none. */
    default Optional<LoginFile> loginFile(Name name, C cluster) {
        return Optional.empty();
    }

    /** As {@link Diagnostic} has them. */
    record Refusal(Code code, String why, String fix, List<String> commands) {
        public Refusal {
            commands = List.copyOf(commands);
        }
    }

    /**
     * It holds no secret, so it may be given to everybody.
     *
     * @param name as people know it: kubeconfig
     * @param text asks the cluster; throws {@link io.deepsite.diag.Failure} if that gives none
     */
    record LoginFile(String name, Function<SiteAccess, String> text) {}

    /**
     * @param host where to run it
     * @param argv goes before the user's command
     */
    record CommandPrefix(String host, List<String> argv) {
        public CommandPrefix {
            argv = List.copyOf(argv);
        }
    }
}
