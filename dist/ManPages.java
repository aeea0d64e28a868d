package io.deepsite.cli;

import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Writes a manual page in AsciiDoc for each command, from the model that also makes {@code --help}. {@code dist/man-pages} compiles
 * it against the packaged jars, in the package whose command line it reads.
 */
final class ManPages {
    private ManPages() {}

    /** @param arguments the folder to write to */
    public static void main(String[] arguments) throws IOException {
        var at = new CommandContext(
                Terminal.ofProcess(Map.of()),
                Map.of(),
                InstantSource.system(),
                Path.of("/"),
                SshTimes.USUAL,
                () -> BuiltIns.ALL,
                DeepsiteHome::find);
        var line = Deepsite.whole(at);
        released(line);
        // A footer without a heading is left out: the exit codes.
        line.getCommandSpec().usageMessage().footerHeading("Notes");
        System.exit(ManPageGenerator.generateManPage(
                new File(arguments[0]), null, new boolean[0], false, line.getCommandSpec()));
    }

    /** The generator takes the version that stands in the foot of a page from the model, where no command needs one. */
    private static void released(CommandLine line) {
        line.getCommandSpec().version("deepsite " + Version.CURRENT);
        line.getSubcommands().values().forEach(ManPages::released);
    }
}
