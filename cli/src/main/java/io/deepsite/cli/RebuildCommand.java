package io.deepsite.cli;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.SiteContext;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite rebuild}: destroys and applies, with one consent. */
@Command(
        name = "rebuild",
        description = {
            "Destroy the site and apply it again, with one confirmation.",
            "For testbeds that are rebuilt every night."
        },
        footer = {"  deepsite rebuild", "  deepsite rebuild --yes --report junit.xml"})
final class RebuildCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @Mixin
    private ProvingOptions options = new ProvingOptions();

    RebuildCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, this::rebuild);
    }

    private int rebuild(SiteContext context) {
        var flow = new RunFlow(at, this, options);
        var removal = new PlanOperation(context).destroyPlan(options.allowed());
        var allowed = flow.agreeToRemoval(
                removal, "Destroy the site " + context.site().name() + " and build it again?");
        if (allowed.isEmpty()) {
            return flow.refused();
        }
        var gone = flow.execute(context, removal, new ApplyOptions(allowed.get(), Optional.empty(), Optional.empty()));
        if (gone.exit() != ExitCode.DONE) {
            return flow.tellDestroyed(context, gone);
        }
        var limits = new ApplyOptions(Set.of(), Optional.empty(), Optional.empty());
        return flow.tellApplied(context, flow.execute(context, new PlanOperation(context).plan(), limits));
    }
}
