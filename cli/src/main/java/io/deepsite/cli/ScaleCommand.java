package io.deepsite.cli;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.SiteContext;
import io.deepsite.site.load.ScalarEdit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code deepsite scale}: another number of machines in a group. */
@Command(
        name = "scale",
        description = {
            "Change how many machines a group has, then apply.",
            "Edits that one number in site.yaml, comments stay. Fewer: the highest index goes first, drained, which needs"
                    + " --allow drain,wipe or a yes at the prompt."
        },
        footer = {"  deepsite scale node=4", "  deepsite scale --site lab/site.yaml node=2 --yes --allow drain,wipe"})
final class ScaleCommand extends DeepsiteCommand {
    @Parameters(
            index = "0",
            arity = "1..*",
            paramLabel = "GROUP=COUNT",
            description = "A machine group of site.yaml and its new count.")
    private Map<String, Integer> counts = new LinkedHashMap<>();

    @Mixin
    private SiteOption target = new SiteOption();

    @Mixin
    private ProvingOptions options = new ProvingOptions();

    ScaleCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var file = target.file();
        at.about(new SiteWords(file, target.set(), target.store()));
        var before = at.loader().load(file, target.set());
        before.orFail();
        var text = read(file);
        var edited = edited(file, text);
        var wanted = at.loader().load(file.toString(), edited, target.set());
        return SiteContexts.with(at, file, wanted, context -> scale(context, edited));
    }

    private int scale(SiteContext context, String edited) {
        var flow = new RunFlow(at, this, options);
        var plan = new PlanOperation(context).plan(false, options.allowed());
        var allowed = flow.agree(plan, "Apply this?");
        if (allowed.isEmpty()) {
            return flow.refused();
        }
        // Not before the yes: who ends deepsite at the question has changed nothing.
        ScalarEdit.write(context.file(), edited);
        var limits = new ApplyOptions(allowed.get(), Optional.empty(), Optional.empty());
        return flow.tellApplied(context, flow.execute(context, plan, limits));
    }

    private String edited(Path file, String text) {
        var edited = text;
        for (var entry : counts.entrySet()) {
            edited = ScalarEdit.count(file.toString(), edited, Names.parse(entry.getKey()), entry.getValue());
        }
        return edited;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(Code.FILE_UNREADABLE, file + " cannot be read: " + e.getMessage() + ".", ""), e);
        }
    }
}
