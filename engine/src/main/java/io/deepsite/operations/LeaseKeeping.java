package io.deepsite.operations;

import io.deepsite.lease.Enforcement;
import io.deepsite.lease.ReaperCopy;
import io.deepsite.site.LeaseTerms;
import io.deepsite.state.SiteState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes sure that the site ends with its lease, even without the operator's laptop. */
final class LeaseKeeping {
    private static final long PATIENCE_SECONDS = 30;

    private final SiteContext context;

    LeaseKeeping(SiteContext context) {
        this.context = context;
    }

    /** @return who enforces it, in words; empty when the site has no lease */
    Optional<String> enforce(SiteState state) {
        if (state.lease() == null || state.resources().isEmpty()) {
            return Optional.empty();
        }
        keeper(context).ifPresent(this::install);
        return Optional.of(by(context).text());
    }

    private void install(Enforcement enforcement) {
        try {
            enforcement.install(command()).ifPresent(LeaseKeeping::run);
            new ReaperCopy(context.runtime().root()).keepOnly(enforcement.installed());
        } catch (UncheckedIOException _) {
            // Without the rights of root; what is in force already counts.
        }
    }

    /** What ends the site now. */
    static Enforcement.By by(SiteContext context) {
        if (context.provider().capabilities().endsMachines()) {
            return Enforcement.By.CLOUD;
        }
        return byThisMachine(context)
                ? keeper(context).map(Enforcement::current).orElse(Enforcement.By.NO_LOGIN)
                : Enforcement.By.BACKEND;
    }

    private static boolean byThisMachine(SiteContext context) {
        return context.provider().capabilities().local()
                || context.site().lease().filter(LeaseTerms::byThisMachine).isPresent();
    }

    /** What this machine can run for it. */
    private static Optional<Enforcement> keeper(SiteContext context) {
        if (!byThisMachine(context)) {
            return Optional.empty();
        }
        var recorded = recorded(context);
        var settings = context.site().provider();
        if (context.provider().capabilities().local()) {
            return Optional.of(Enforcement.ofThisHost(
                    context.runtime().root(), settings.provider(), Optional.ofNullable(recorded.get("project"))));
        }
        return context.providers().unattended(settings).map(variables -> {
            var name = Stream.concat(Stream.of(settings.provider()), recorded.values().stream())
                    .collect(Collectors.joining("-"));
            // Programs of systemd have no home.
            var all = new TreeMap<>(variables);
            all.put("HOME", context.runtime().userHome().toString());
            return Enforcement.ofOther(context.runtime().root(), name, all);
        });
    }

    private static SortedMap<String, String> recorded(SiteContext context) {
        return context.providers().recorded(context.site().provider());
    }

    private List<String> command() {
        var command = new ArrayList<>(List.of(program().resolve("bin/deepsite").toString(), "lease", "reap", "--yes"));
        var settings = context.site().provider();
        command.addAll(List.of("--provider", settings.provider()));
        var recorded = recorded(context);
        for (String option : context.providers().options(settings)) {
            var value = recorded.get(option);
            if (value != null) {
                command.addAll(List.of("--" + option, value));
            }
        }
        return command;
    }

    /** A checkout that was never packaged is run from where it lies. */
    private Path program() {
        var home = context.runtime().home();
        return home.build()
                .map(build -> new ReaperCopy(context.runtime().root()).of(home.root(), build))
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
            // Enforcement.current() then says that nothing enforces it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
