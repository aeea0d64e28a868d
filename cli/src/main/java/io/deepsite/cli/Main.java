package io.deepsite.cli;

import io.deepsite.cluster.builtin.BuiltInKinds;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import java.nio.file.Path;
import java.time.InstantSource;

public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs one command line in this process and returns its exit code. */
    static int run(String... arguments) {
        var environment = System.getenv();
        return Deepsite.run(
                new CommandContext(
                        Terminal.ofProcess(environment),
                        environment,
                        InstantSource.system(),
                        Path.of(System.getProperty("user.home", "/")),
                        SshTimes.USUAL,
                        BuiltInKinds.ALL,
                        DeepsiteHome::find),
                arguments);
    }
}
