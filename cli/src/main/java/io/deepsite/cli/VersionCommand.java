package io.deepsite.cli;

import io.deepsite.diag.ExitCode;
import java.util.LinkedHashMap;
import picocli.CommandLine.Command;

/** {@code deepsite version}: prints the release of deepsite and of the Java it runs on. */
@Command(
        name = "version",
        description = "Print the version of deepsite and of the Java it runs on.",
        footer = {"  deepsite version", "  deepsite version --json"})
final class VersionCommand extends DeepsiteCommand {
    VersionCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        if (json) {
            var result = new LinkedHashMap<String, Object>();
            result.put("version", Version.CURRENT);
            result.put("java", Version.JAVA);
            printJson(result);
        } else {
            print(Version.words() + "\n");
        }
        return ExitCode.DONE.number();
    }
}
