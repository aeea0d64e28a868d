package io.deepsite.cluster;

/**
 * A command that a kind of cluster adds to the command line. Its class is annotated for picocli: {@code @Command} with
 * description and examples, {@code @Option}, {@code @Parameters}. The command line adds {@code --site}, {@code --set} and
 * what all its commands have.
 */
public interface ClusterCommand {
    /**
     * Does the work.
     *
     * @return the exit code of the process
     * @throws io.deepsite.diag.Failure what the user can repair
     */
    int run(InvocationContext context);
}
