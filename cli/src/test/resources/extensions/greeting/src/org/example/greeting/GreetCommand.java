package org.example.greeting;

import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.InvocationContext;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command of the kind's own: {@code deepsite greet hello}. */
@Command(
        name = "greet",
        description = "Print what the folder of a greeting holds.",
        footer = "  deepsite greet hello --all")
final class GreetCommand implements ClusterCommand {
    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster of site.yaml.")
    private String cluster = "";

    @Option(names = "--all", description = "Hidden files, too.")
    private boolean all;

    @Override
    public int run(InvocationContext context) {
        return context.withSite(site -> {
            var greeting = site.cluster(context.name(cluster), new GreetingKind(), "no greeting");
            var first = ClusterStages.in(greeting.hosts(), site.machines()).getFirst();
            try (var host = site.connect(first.name())) {
                var seen = host.sh("ls " + (all ? "-A " : "") + greeting.place(), Duration.ofMinutes(1));
                context.print(seen.stdout());
                return seen.exit();
            }
        });
    }
}
