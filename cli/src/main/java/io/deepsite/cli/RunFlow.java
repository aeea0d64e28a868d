package io.deepsite.cli;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.cli.view.ChromeTrace;
import io.deepsite.cli.view.Json;
import io.deepsite.cli.view.PlanView;
import io.deepsite.cli.view.ResultView;
import io.deepsite.cli.view.TimingsView;
import io.deepsite.diag.DiagnosticFields;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.ApplyOperation;
import io.deepsite.operations.RunResult;
import io.deepsite.operations.SiteContext;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.report.Timings;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;

/** What every command that changes a site does: show the plan, ask, run it, report the result. */
final class RunFlow {
    private final CommandContext at;
    private final DeepsiteCommand command;
    private final RunOptions options;

    RunFlow(CommandContext at, DeepsiteCommand command, RunOptions options) {
        this.at = at;
        this.command = command;
        this.options = options;
    }

    /** Shows the plan and asks. Returns the allowed consents; empty if the user refuses. */
    Optional<SortedSet<Consent>> agree(Plan plan, String question) {
        show(plan, view()::text);
        var allowed = options.allowed();
        if (plan.isEmpty()) {
            return Optional.of(allowed);
        }
        var missing = plan.consents();
        missing.removeAll(allowed);
        if (!missing.isEmpty() && !new Question(at, command).canBeAsked()) {
            throw Consent.refusal(plan, missing, command.typed() + (options.yes() ? "" : " --yes"));
        }
        if (!options.yes() && !new Question(at, command).yes(question)) {
            return Optional.empty();
        }
        for (var consent : missing) {
            var answer = at.terminal()
                    .ask(consent.word() + ": " + consent.meaning() + " (" + PlanView.askers(plan, consent) + "). Type "
                            + consent.word() + " to allow it: ");
            if (answer.filter(consent.word()::equals).isEmpty()) {
                return Optional.empty();
            }
            allowed.add(consent);
        }
        return Optional.of(allowed);
    }

    /**
     * The allowed consents, for a plan that is applied without a question.
     *
     * @throws Failure CONSENT_NEEDED
     */
    SortedSet<Consent> allowedFor(Plan plan) {
        var missing = plan.consents();
        missing.removeAll(options.allowed());
        if (!missing.isEmpty()) {
            throw Consent.refusal(plan, missing, command.typed());
        }
        return options.allowed();
    }

    /** Like {@link #agree}, for destroy: a yes is the consent to everything that it takes. */
    Optional<SortedSet<Consent>> agreeToRemoval(Plan plan, String question) {
        show(plan, view()::removal);
        if (!plan.isEmpty() && !options.yes() && !new Question(at, command).yes(question)) {
            return Optional.empty();
        }
        var allowed = options.allowed();
        allowed.addAll(plan.consents());
        return Optional.of(allowed);
    }

    /** Runs the confirmed plan; the caller reports the result. */
    RunResult execute(SiteContext context, Plan plan, ApplyOptions limits) {
        var timings = new Timings(at.clock());
        try (var progress = new ProgressDisplay(at, command, plan)) {
            var events = timings.andThen(progress.events());
            return new ApplyOperation(context, plan, limits, events, progress.cancel()).run();
        } finally {
            timings.over();
            tell(context, timings);
        }
    }

    private void tell(SiteContext context, Timings timings) {
        if (options.timings()) {
            at.terminal().err().print("\n" + TimingsView.text(timings, context.connections()) + "\n\n");
            at.terminal().err().flush();
        }
        options.trace().ifPresent(file -> OutputFile.write(file, context.file(), ChromeTrace.json(timings)));
    }

    /** The result on stdout, faults on stderr. */
    int tellApplied(SiteContext context, RunResult result) {
        report(context, result);
        if (command.json()) {
            tellJson(result);
        } else {
            at.tell(result.diagnostics());
            print(resultView(context).applied(result, context.state()));
        }
        return result.exit().number();
    }

    int tellDestroyed(SiteContext context, RunResult result) {
        if (command.json()) {
            tellJson(result);
        } else {
            at.tell(result.diagnostics());
            print(resultView(context).destroyed(result, context.state()));
        }
        return result.exit().number();
    }

    int refused() {
        at.terminal().err().println("Nothing was touched.");
        return ExitCode.CANCELLED.number();
    }

    private void tellJson(RunResult result) {
        var line = new LinkedHashMap<String, Object>();
        line.put("time", at.clock().instant().toString());
        line.put("event", "result");
        line.putAll(ResultView.json(result));
        line.put("diagnostics", DiagnosticFields.of(at.typeable(result.diagnostics())));
        print(Json.line(line) + "\n");
    }

    private void report(SiteContext context, RunResult result) {
        options.report()
                .ifPresent(file ->
                        result.verify().ifPresent(found -> OutputFile.write(file, context.file(), found.junit())));
    }

    private ResultView resultView(SiteContext context) {
        return new ResultView(
                at.terminal().outStyle(), context.site(), at.clock().instant(), at::typeable);
    }

    private void show(Plan plan, Function<Plan, String> text) {
        if (!command.json() && !command.quiet() && !plan.isEmpty()) {
            print(text.apply(plan) + "\n");
        }
    }

    /** In full where the user has to confirm it; else a line per step. */
    private PlanView view() {
        return new PlanView(
                at.terminal().outStyle(),
                options.yes() && !command.verbose() ? PlanView.Detail.STEPS : PlanView.Detail.FULL);
    }

    private void print(String text) {
        at.terminal().out().print(text);
        at.terminal().out().flush();
    }
}
