package io.deepsite.cli;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.operations.BakeOperation;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.SiteContext;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite destroy}: deletes everything of a site. */
@Command(
        name = "destroy",
        description = {
            "Delete everything that deepsite made for the site.",
            "Deletes machines with their disks, and volumes with their data. The command itself is the consent; --yes skips"
                    + " the question."
        },
        footer = {"  deepsite destroy", "  deepsite destroy lab/site.yaml --yes"})
final class DestroyCommand extends DeepsiteCommand implements AlsoAtService {
    @Mixin
    private SiteFile target = new SiteFile();

    @Mixin
    private RunOptions options = new RunOptions();

    DestroyCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, context -> destroy(at, this, options, context));
    }

    @Override
    public int runAt(String service) {
        onlyAtService("--yes");
        return AtService.with(
                at,
                service,
                opened -> new ServiceFlow(at, this, opened)
                        .destroy(opened.site(target.file().toString()), options.yes()));
    }

    static int destroy(CommandContext at, DeepsiteCommand command, RunOptions options, SiteContext context) {
        var flow = new RunFlow(at, command, options);
        var plan = new PlanOperation(context).destroyPlan(options.allowed());
        var allowed =
                flow.agreeToRemoval(plan, "Destroy the site " + context.site().name() + "?");
        if (allowed.isEmpty()) {
            return flow.refused();
        }
        var limits = new ApplyOptions(allowed.get(), Optional.empty(), Optional.empty());
        int exit = flow.tellDestroyed(context, flow.execute(context, plan, limits));
        new BakeOperation(context, _ -> {}, new Cancel()).removeRemains();
        return exit;
    }
}
