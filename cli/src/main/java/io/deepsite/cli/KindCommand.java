package io.deepsite.cli;

import io.deepsite.cluster.ClusterCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** A command that a kind of cluster adds, with the options that all commands have. */
@Command
final class KindCommand extends DeepsiteCommand {
    private final ClusterCommand added;
    private final SiteOption target = new SiteOption();

    private KindCommand(CommandContext at, ClusterCommand added) {
        super(at);
        this.added = added;
    }

    static CommandLine line(CommandContext at, String word, ClusterCommand added) {
        var command = new KindCommand(at, added);
        var line = new CommandLine(command);
        line.getCommandSpec()
                .name(word)
                .addMixin("added", CommandSpec.forAnnotatedObject(added))
                .addMixin("site", CommandSpec.forAnnotatedObject(command.target));
        return line;
    }

    @Override
    protected int run() {
        return added.run(new Invocation(this, target));
    }
}
