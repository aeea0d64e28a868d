package io.deepsite.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code deepsite version}: the release of deepsite and of the Java it runs on. */
@Command(name = "version", description = "Print the version of deepsite.")
final class VersionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .println("deepsite " + Version.CURRENT + " (Java " + System.getProperty("java.version") + ")");
        return 0;
    }
}
