package io.deepsite.cluster;

import io.deepsite.site.Name;

/**
 * Options that a kind of cluster adds to {@code deepsite run}: work that a file describes, in place of a command. The class
 * is annotated for picocli; description and examples of its {@code @Command} follow those of {@code run}.
 */
public interface WorkOptions {
    /**
     * Whether the user described work by them.
     *
     * @throws io.deepsite.diag.Failure COMMAND_LINE when only options were given that need such work
     */
    boolean describeWork();

    /** How the user describes work, as the end of a sentence: name a file with --option. */
    String hint();

    /**
     * Gives the work to a cluster.
     *
     * @return the exit code of the process
     * @throws io.deepsite.diag.Failure what the user can repair
     */
    int run(Name cluster, InvocationContext context);
}
