package io.deepsite.cli;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What an order at a service says beside its parameters. */
final class OrderOptions {
    static final List<String> NAMES = List.of("--title", "--project", "--wait");

    @Option(
            names = "--title",
            paramLabel = "TITLE",
            order = 83,
            description = "At a service: what the site is called there (default: as its template).")
    private @Nullable String title;

    @Option(
            names = "--project",
            paramLabel = "NAME",
            order = 84,
            description = "At a service: the project whose quota it takes (default: yours, if you have one only).")
    private @Nullable String project;

    @Option(names = "--wait", order = 85, description = "At a service: wait for the quota if it has no room now.")
    private boolean wait;

    Optional<String> title() {
        return Optional.ofNullable(title);
    }

    Optional<String> project() {
        return Optional.ofNullable(project);
    }

    boolean waits() {
        return wait;
    }
}
