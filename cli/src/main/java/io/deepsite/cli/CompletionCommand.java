package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code deepsite completion}: prints a shell completion script. */
@Command(
        name = "completion",
        description = "Print a script that completes verbs and options in a shell.",
        footer = {
            "  source <(deepsite completion bash)",
            "  deepsite completion bash > /etc/bash_completion.d/deepsite",
            "  deepsite completion zsh >> ~/.zshrc"
        })
final class CompletionCommand extends DeepsiteCommand {
    /** One script serves both: in zsh it loads bash's completion. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SHELL",
            defaultValue = "bash",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Shell shell = Shell.bash;

    CompletionCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        var script = AutoComplete.bash("deepsite", Deepsite.whole(at));
        var text = shell == Shell.zsh ? "autoload -U +X compinit && compinit\n" + script : script;
        if (json) {
            printJson(Map.of("shell", shell.name(), "script", text));
        } else {
            print(text);
        }
        return ExitCode.DONE.number();
    }
}
