package io.deepsite.cli;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.GcOperation;
import io.deepsite.operations.SiteContext;
import io.deepsite.provider.ObservedResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code deepsite gc}: deletes orphans. */
@Command(
        name = "gc",
        description = {
            "Delete orphans: resources tagged with the site's name that the state does not record.",
            "A lost or replaced state leaves them behind. To keep them, use adopt instead."
        },
        footer = {"  deepsite gc --list", "  deepsite gc"})
final class GcCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    @Option(names = "--list", description = "Only list them.")
    private boolean list;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation.")
    private boolean yes;

    GcCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, this::collect);
    }

    private int collect(SiteContext context) {
        var orphans = GcOperation.of(context);
        if (json) {
            printJson(orphans.stream().map(GcCommand::json).toList());
        } else if (orphans.isEmpty()) {
            print("No orphans: the state records everything tagged with the site's name.\n");
        } else {
            orphans.forEach(one -> print(
                    "- " + one.id() + "  " + one.called() + "  of " + one.tags().lineage() + "\n"));
        }
        if (list || orphans.isEmpty()) {
            return ExitCode.DONE.number();
        }
        if (!yes && !agreed(orphans.size())) {
            at.terminal().err().println("Nothing was touched.");
            return ExitCode.CANCELLED.number();
        }
        return delete(context, orphans);
    }

    private int delete(SiteContext context, List<ObservedResource> orphans) {
        var collected = GcOperation.delete(context, orphans, this::say);
        if (collected.spared() > 0) {
            say(collected.spared() + " not deleted: no longer orphans, or already gone.");
        }
        at.tell(collected.faults());
        return (collected.faults().isEmpty() ? ExitCode.DONE : ExitCode.FAILED).number();
    }

    private boolean agreed(int count) {
        if (!at.terminal().asks()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_CONFIRMED,
                    "There is no terminal to ask for confirmation. Nothing was touched.",
                    "Confirm on the command line:",
                    typed() + " --yes"));
        }
        var answer = at.terminal()
                .ask("Delete " + (count == 1 ? "it" : "all " + count) + "? [y/N] ")
                .orElse("");
        return answer.toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static Map<String, Object> json(ObservedResource resource) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("id", resource.id().toString());
        fields.put("name", resource.name());
        fields.put("handle", resource.handle());
        fields.put("lineage", resource.tags().lineage());
        return fields;
    }
}
