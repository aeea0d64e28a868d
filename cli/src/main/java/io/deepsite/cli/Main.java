package io.deepsite.cli;

import io.deepsite.cluster.ClusterKinds;
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
                        Main::kinds,
                        DeepsiteHome::find),
                arguments);
    }

    /** Only a packaged deepsite has extensions. */
    private static ClusterKinds kinds() {
        var home = System.getProperty(DeepsiteHome.PROPERTY);
        return home == null ? BuiltIns.ALL : Extensions.added(BuiltIns.ALL, new DeepsiteHome(Path.of(home)));
    }
}
