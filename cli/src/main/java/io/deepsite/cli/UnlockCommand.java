package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code deepsite unlock}: removes the lock of an operation that no longer runs. */
@Command(
        name = "unlock",
        description = {
            "Remove the lock of an operation that no longer runs.",
            "If the operation still runs, it stops at its next write. The lock of a process that has certainly ended is taken"
                    + " over without this command."
        },
        footer = {"  deepsite status          # shows who holds it, and its id", "  deepsite unlock 4f1c2e"})
final class UnlockCommand extends DeepsiteCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The lock's id, as the refused command printed it.")
    private String id = "";

    @Mixin
    private SiteOption target = new SiteOption();

    UnlockCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        return SiteContexts.with(at, target, context -> {
            var taken = context.lock().unlock(id);
            if (json) {
                printJson(taken);
            } else {
                print("Removed the lock: " + taken.describe() + ".\n");
            }
            return ExitCode.DONE.number();
        });
    }
}
