package io.deepsite.provider;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sites for the tests of a provider, which knows no kind of cluster. */
public final class ExampleSite {
    private static final Name HEAD = new Name("head");
    private static final Name NODE = new Name("node");
    private static final Group ANY = new Group(false, List.of(), List.of(), 1, Optional.empty());

    /** What the Slurm cluster of the examples asks; {@code SlurmStagesTest} holds it to the kind. */
    public static final Requirements OF_SLURM = new Requirements(
            Map.of(HEAD, ANY, NODE, ANY),
            List.of(
                    new Flow(NODE, HEAD, "tcp", "6817-6819"),
                    new Flow(HEAD, NODE, "tcp", "6818"),
                    new Flow(NODE, HEAD, "tcp", "60001-63000"),
                    new Flow(NODE, HEAD, "tcp", "2049"),
                    new Flow(NODE, NODE, "tcp", "6818"),
                    new Flow(NODE, NODE, "tcp", "60001-63000")));

    private ExampleSite() {}

    /** Its machines, without its clusters, which are the last key of the file. */
    public static Site machinesOf(Path file, ProviderFactory<?> provider) {
        try {
            var text = Files.readString(file);
            return read(text.substring(0, text.indexOf("\nclusters:") + 1), provider);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Site read(String text, ProviderFactory<?> provider) {
        return new ClusterKinds(List.of(), List.of(provider))
                .loader()
                .load("site.yaml", text, Map.of())
                .orFail();
    }
}
