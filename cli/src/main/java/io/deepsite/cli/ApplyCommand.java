package io.deepsite.cli;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.SiteContext;
import io.deepsite.plan.PlanJson;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite apply}: applies a site, then verifies it. */
@Command(
        name = "apply",
        description = {
            "Create or update the site as site.yaml describes it, then verify that it works.",
            "Shows the plan and asks; without a terminal it needs --yes. After a stop, a failure or a kill, the next apply"
                    + " resumes. If verify fails, apply fails.",
            "With --service the argument is a template of a service, or a site there: it orders the site if there is none of"
                    + " that title, shows its plan with its share of the quota, asks, and follows until it is ready."
        },
        footer = {
            "  deepsite apply",
            "  deepsite apply lab/site.yaml --yes --report junit.xml",
            "  deepsite apply --allow reboot,replace",
            "  deepsite apply --plan plan.json       # exactly the saved plan, or nothing",
            "  deepsite apply --until hpc.munge --only node",
            "  deepsite apply slurm --set nodes=4 --title course --service https://clusters.example.org"
        })
final class ApplyCommand extends DeepsiteCommand implements AlsoAtService {
    @Mixin
    private SiteFile target = new SiteFile();

    @Mixin
    private ProvingOptions options = new ProvingOptions();

    @Mixin
    private ImageOptions images = new ImageOptions();

    @Option(
            names = {"-p", "--plan"},
            paramLabel = "FILE",
            order = 9,
            description = "Apply this saved plan without asking; a stale plan is refused.")
    private @Nullable Path saved;

    @Option(
            names = "--until",
            paramLabel = "STAGE",
            order = 12,
            description =
                    "Stop after this stage, or after machines without waiting for them. Ends with exit code 3; verifies"
                            + " nothing.")
    private @Nullable String until;

    @Option(
            names = "--only",
            paramLabel = "GROUP",
            order = 13,
            description = "Configure the machines of this group only. Ends with exit code 3; verifies nothing.")
    private @Nullable String only;

    @Mixin
    private OrderOptions order = new OrderOptions();

    ApplyCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        notHere(OrderOptions.NAMES);
        return SiteContexts.with(at, target, this::apply);
    }

    @Override
    public int runAt(String service) {
        onlyAtService("--set", "--yes", "--title", "--project", "--wait");
        return AtService.with(at, service, opened -> {
            var flow = new ServiceFlow(at, this, opened);
            return flow.apply(
                    flow.orderedOnce(target.file().toString(), target.set(), order), options.yes(), order.waits());
        });
    }

    private int apply(SiteContext context) {
        var flow = new RunFlow(at, this, options);
        var plan = saved == null
                ? new PlanOperation(context).plan(images.refresh(), options.allowed())
                : PlanJson.read(saved, Version.CURRENT, context.secrets());
        var allowed = saved == null ? flow.agree(plan, "Apply this?") : Optional.of(flow.allowedFor(plan));
        if (allowed.isEmpty()) {
            return flow.refused();
        }
        var limits = new ApplyOptions(allowed.get(), Optional.ofNullable(until), Optional.ofNullable(only));
        return flow.tellApplied(context, flow.execute(context, plan, limits));
    }
}
