package io.deepsite.cli;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.cli.view.JsonEvents;
import io.deepsite.cli.view.LineView;
import io.deepsite.cli.view.PlanView;
import io.deepsite.cli.view.ProgressView;
import io.deepsite.cli.view.ScreenView;
import io.deepsite.plan.Plan;
import io.deepsite.provider.Call;
import java.util.Map;
import java.util.TreeMap;

/** Shows a run: as a screen on a terminal, as JSON lines, as plain lines, or not at all. Close it when the run ends. */
final class ProgressDisplay implements AutoCloseable {
    private final CommandContext at;
    private final ProgressView view;
    private final Cancel cancel = new Cancel();
    private final Interruption interruption;

    ProgressDisplay(CommandContext at, DeepsiteCommand command, Plan plan) {
        this(at, command, planned(plan));
    }

    ProgressDisplay(CommandContext at, DeepsiteCommand command, Map<String, Integer> planned) {
        this.at = at;
        this.view = view(at, command, planned);
        this.interruption = Interruption.listen(cancel, view, view::close);
        at.showing(view);
    }

    ProgressView events() {
        return view;
    }

    Cancel cancel() {
        return cancel;
    }

    /** For one long call outside a plan. */
    Call call(String step, String subject) {
        return new Call() {
            @Override
            public void progress(String what) {
                view.accept(new Event.Progress(step, subject, what));
            }

            @Override
            public boolean cancelled() {
                return cancel.asked();
            }
        };
    }

    @Override
    public void close() {
        interruption.close();
        at.showing(null);
        view.close();
    }

    private static ProgressView view(CommandContext at, DeepsiteCommand command, Map<String, Integer> planned) {
        var terminal = at.terminal();
        if (command.json()) {
            return new JsonEvents(terminal.out(), at.clock());
        }
        if (command.quiet() || at.answersAsPlugin()) {
            return ProgressView.SILENT;
        }
        return terminal.errIsTerminal()
                ? new ScreenView(terminal.err(), terminal.errStyle(), at.clock(), planned, terminal.size())
                : new LineView(terminal.err(), at.clock());
    }

    private static Map<String, Integer> planned(Plan plan) {
        var planned = new TreeMap<String, Integer>();
        plan.steps().forEach(step -> planned.merge(PlanView.subject(step), 1, Integer::sum));
        return planned;
    }
}
