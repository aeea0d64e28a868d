package io.deepsite.cli;

import io.deepsite.cli.view.PlanView;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.SiteContext;
import io.deepsite.plan.Consent;
import io.deepsite.plan.PlanJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite plan}: shows what apply would change. */
@Command(
        name = "plan",
        description = {
            "Show what apply would change, without changing it.",
            "Lists every machine and, inside each host, every package, service, action, reboot, and file as a diff."
                    + " Reads the back-end and each host once.",
            "With --service the argument is a template of a service, or a site there: an order that has only its plan takes"
                    + " nothing of the quota."
        },
        footer = {
            "  deepsite plan",
            "  deepsite plan lab/site.yaml -o plan.json && deepsite apply lab/site.yaml --plan plan.json",
            "  deepsite plan --detailed-exitcode     # 3 if something would change"
        })
final class PlanCommand extends DeepsiteCommand implements AlsoAtService {
    @Mixin
    private SiteFile target = new SiteFile();

    @Mixin
    private ImageOptions images = new ImageOptions();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Save the plan, for apply --plan.")
    private @Nullable Path out;

    @Option(names = "--detailed-exitcode", description = "End with exit code 3 if something would change.")
    private boolean detailedExitCode;

    @Option(
            names = "--allow",
            split = ",",
            paramLabel = "WHAT",
            converter = RunOptions.ConsentWord.class,
            completionCandidates = RunOptions.ConsentWords.class,
            description =
                    "Plan as apply with this consent; remove-packages also removes the packages of removed roles.")
    private List<Consent> allowed = new ArrayList<>();

    @Option(names = "--destroy", description = "Plan what destroy would delete.")
    private boolean destroy;

    @Mixin
    private OrderOptions order = new OrderOptions();

    PlanCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        notHere(OrderOptions.NAMES);
        return SiteContexts.with(at, target, this::plan);
    }

    @Override
    public int runAt(String service) {
        onlyAtService("--set", "--title", "--project");
        return AtService.with(at, service, opened -> {
            var flow = new ServiceFlow(at, this, opened);
            return flow.plan(flow.orderedOnce(target.file().toString(), target.set(), order));
        });
    }

    private int plan(SiteContext context) {
        var consents = new TreeSet<>(allowed);
        var plan = destroy
                ? new PlanOperation(context).destroyPlan(consents)
                : new PlanOperation(context).plan(images.refresh(), consents);
        if (out != null) {
            OutputFile.write(out, context.file(), file -> PlanJson.sealed(plan, context.secrets(), file));
        }
        if (json) {
            print(PlanJson.write(plan));
        } else {
            print(new PlanView(style(), quiet ? PlanView.Detail.STEPS : PlanView.Detail.FULL).text(plan));
            if (out != null) {
                say("Saved the plan to " + out + ".");
            }
        }
        if (!plan.silent().isEmpty()) {
            plan.silent().values().forEach(at::tell);
            return ExitCode.FAILED.number();
        }
        return (detailedExitCode && !plan.isEmpty() ? ExitCode.CHANGES_PENDING : ExitCode.DONE).number();
    }
}
