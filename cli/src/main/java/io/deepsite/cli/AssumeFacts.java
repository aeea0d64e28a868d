package io.deepsite.cli;

import io.deepsite.operations.RenderOperation;
import io.deepsite.operations.SiteContext;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Whether a bundle is made from facts of hosts that nothing measured. */
final class AssumeFacts {
    @Option(
            names = "--assume-facts",
            description = {
                "Log in to no host. What a host is comes from deepsite_cpus, deepsite_memory and deepsite_container of the"
                        + " inventory, else from the last apply; the bundle says so in assumed-facts.json."
            })
    private boolean wanted;

    RenderOperation.Rendered render(SiteContext context, Path folder) {
        var operation = new RenderOperation(context);
        return wanted ? operation.renderAssuming(folder) : operation.render(folder);
    }

    /**
     * For programs.
     *
     * @param key of what was written
     */
    static Map<String, Object> result(String key, Path written, RenderOperation.Rendered made) {
        var result = new LinkedHashMap<String, Object>();
        result.put(key, written.toString());
        result.put("asked", made.asked());
        result.put("assumed", made.assumed());
        return result;
    }
}
