package io.deepsite.operations;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Design;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What can be checked of a site with files alone: its roles are rendered for machines as site.yaml asks for them. One machine represents its group, so a thousand take no longer.
 */
public final class OfflineRenderCheck {
    private OfflineRenderCheck() {}

    /**
     * Faults of the sites that clusters name for their proof, variables that do not fit a role, templates that cannot be
     * rendered, roles that ask for the same thing on a host.
     *
     * @param file the site's own
     */
    public static List<Diagnostic> faults(Site site, Path file, RuntimeContext runtime) {
        var faults = new ArrayList<>(FirstRun.faults(site, file, runtime));
        try {
            new DesiredStateBuilder(site, runtime.kinds(), runtime.home(), Map.of())
                    .check(new Design(List.of(), GroupMachines.of(site)));
        } catch (Failure e) {
            faults.addAll(e.diagnostics());
        }
        return faults;
    }
}
