package io.deepsite.cluster.slurm;

import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cluster that a command is about. */
final class OnlySlurm {
    private OnlySlurm() {}

    /**
     * @param typed null for the only one that runs Slurm
     * @param command for the suggestion
     * @throws Failure COMMAND_LINE
     */
    static Name name(SiteAccess site, InvocationContext context, @Nullable String typed, String command) {
        if (typed != null) {
            return context.name(typed);
        }
        var names = site.site().clusters().entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Slurm)
                .map(Map.Entry::getKey)
                .toList();
        if (names.size() != 1) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE,
                    names.isEmpty() ? "No cluster of the site runs Slurm." : "Several clusters of the site run Slurm.",
                    names.isEmpty() ? "" : "Name one: deepsite " + command + " " + names.getFirst()));
        }
        return names.getFirst();
    }
}
