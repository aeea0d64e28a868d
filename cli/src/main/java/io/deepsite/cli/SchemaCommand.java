package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import io.deepsite.site.load.JsonSchema;
import picocli.CommandLine.Command;

/** {@code deepsite schema}: prints the JSON Schema of site.yaml. */
@Command(
        name = "schema",
        description = {
            "Print the JSON Schema of site.yaml, for editors.",
            "An editor with a YAML language server then completes keys and marks errors while you type."
        },
        footer = {
            "  deepsite schema > site.schema.json",
            "  # first line of site.yaml:",
            "  # yaml-language-server: $schema=site.schema.json"
        })
final class SchemaCommand extends DeepsiteCommand {
    SchemaCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        print(JsonSchema.text(at.kinds().model()));
        return ExitCode.DONE.number();
    }
}
