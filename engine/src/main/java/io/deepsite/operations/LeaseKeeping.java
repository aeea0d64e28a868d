package io.deepsite.operations;

import io.deepsite.lease.Enforcement;
import io.deepsite.lease.ReaperCopy;
import io.deepsite.site.ProviderSettings;
import io.deepsite.state.SiteState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Sees to it that somebody ends the site when its lease is over, also when the operator's laptop is gone. */
final class LeaseKeeping {
    private static final long PATIENCE_SECONDS = 30;

    private static final Path ROOT = Path.of("/");

    private final SiteContext context;

    LeaseKeeping(SiteContext context) {
        this.context = context;
    }

    /** @return who enforces it, in words; empty when the site has no lease */
    Optional<String> enforce(SiteState state) {
        if (state.lease() == null || state.hosts().isEmpty()) {
            return Optional.empty();
        }
        if (!context.provider().capabilities().local()) {
            return Optional.of(Enforcement.By.BACKEND.text());
        }
        var enforcement = of(context.site().provider());
        try {
            enforcement.install(command()).ifPresent(LeaseKeeping::run);
            new ReaperCopy(ROOT).keepOnly(enforcement.installed());
        } catch (UncheckedIOException _) {
            // Without the rights of root; what is in force already counts.
        }
        return Optional.of(enforcement.current().text());
    }

    /** That which would end a site of this provider, made or not. */
    static Enforcement of(ProviderSettings settings) {
        return settings instanceof ProviderSettings.Lxd lxd && !lxd.project().equals(ProviderSettings.Lxd.USUAL_PROJECT)
                ? Enforcement.ofProject(ROOT, lxd.project())
                : new Enforcement(ROOT);
    }

    private List<String> command() {
        var command = new ArrayList<>(List.of(program().resolve("bin/deepsite").toString(), "lease", "reap", "--yes"));
        if (context.site().provider() instanceof ProviderSettings.Lxd lxd) {
            command.addAll(List.of("--provider", "lxd", "--endpoint", lxd.endpoint()));
            if (!lxd.project().equals(ProviderSettings.Lxd.USUAL_PROJECT)) {
                command.addAll(List.of("--project", lxd.project()));
            }
        }
        return command;
    }

    /** A checkout that was never packaged is run from where it lies. */
    private Path program() {
        var home = context.runtime().home();
        return home.build()
                .map(build -> new ReaperCopy(ROOT).of(home.root(), build))
                .orElse(home.root());
    }

    private static void run(List<String> command) {
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (IOException _) {
            // Enforcement.current() then says that nobody enforces it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
