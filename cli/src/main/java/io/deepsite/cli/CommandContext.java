package io.deepsite.cli;

import io.deepsite.apply.Event;
import io.deepsite.cli.view.DiagnosticView;
import io.deepsite.cli.view.Json;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticFields;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.load.SiteLoader;
import io.deepsite.state.SiteStores;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a command works with: the terminal, the environment, the clock; and how it reports diagnostics. */
final class CommandContext {
    private final Terminal terminal;
    private final Map<String, String> environment;
    private final InstantSource clock;
    private final Path userHome;
    private final SshTimes ssh;
    private final Supplier<ClusterKinds> kinds;
    private final Supplier<DeepsiteHome> files;
    private @Nullable ClusterKinds known;
    private boolean json;
    private boolean quiet;
    private boolean plugin;
    private SiteWords site = SiteWords.USUAL;
    private volatile @Nullable Consumer<Event> progress;

    /**
     * @param kinds with those of extensions; asked once
     * @param files finds the files that deepsite ships, or fails; not every command needs them
     */
    CommandContext(
            Terminal terminal,
            Map<String, String> environment,
            InstantSource clock,
            Path userHome,
            SshTimes ssh,
            Supplier<ClusterKinds> kinds,
            Supplier<DeepsiteHome> files) {
        this.terminal = terminal;
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.userHome = userHome;
        this.ssh = ssh;
        this.kinds = kinds;
        this.files = files;
    }

    Terminal terminal() {
        return terminal;
    }

    Map<String, String> environment() {
        return environment;
    }

    InstantSource clock() {
        return clock;
    }

    Path userHome() {
        return userHome;
    }

    SshTimes ssh() {
        return ssh;
    }

    /** Fails if an extension cannot be used; {@link Deepsite#run} reports that before any command. */
    synchronized ClusterKinds kinds() {
        if (known == null) {
            known = kinds.get();
        }
        return known;
    }

    SiteLoader loader() {
        return kinds().loader();
    }

    DeepsiteHome files() {
        return files.get();
    }

    /** Sets the site that suggested commands name, and whose records are used. */
    void about(SiteWords words) {
        site = words;
    }

    /** @throws io.deepsite.diag.Failure STORE_UNKNOWN */
    SiteStores.Factory stores() {
        var asked = site.store();
        return BuiltIns.stores(
                asked.isEmpty() ? environment.getOrDefault(StoreOption.VARIABLE, "") : asked, environment);
    }

    /** A suggested command, as the user has to type it for this site. */
    String typeable(String command) {
        return site.complete(this, command);
    }

    List<Diagnostic> typeable(Collection<Diagnostic> diagnostics) {
        return diagnostics.stream().map(one -> site.complete(this, one)).toList();
    }

    /**
     * @param json diagnostics are JSON lines
     * @param quiet report errors only
     */
    void speak(boolean json, boolean quiet) {
        this.json = json;
        this.quiet = quiet;
    }

    /**
     * From now on the result is the answer of a monitoring plugin, and nothing else is said: monitoring systems take
     * standard error as part of it.
     */
    void answerAsPlugin() {
        plugin = true;
    }

    boolean answersAsPlugin() {
        return plugin;
    }

    /** While a view shows a run, notices go through it: printed directly, they would break its screen. */
    void showing(@Nullable Consumer<Event> view) {
        progress = view;
    }

    /** Reports something that does not end the command. */
    void notice(Diagnostic diagnostic) {
        if (quiet && !diagnostic.isError()) {
            return;
        }
        var view = progress;
        if (view == null || json) {
            tell(List.of(diagnostic));
        } else {
            view.accept(new Event.Notice(new DiagnosticView(terminal.errStyle())
                    .text(typeable(List.of(diagnostic)))
                    .stripTrailing()));
        }
    }

    /** On stderr: as text, or as one JSON object per line. */
    void tell(Collection<Diagnostic> diagnostics) {
        if (plugin) {
            return;
        }
        if (json) {
            DiagnosticFields.of(typeable(diagnostics))
                    .forEach(one -> terminal.err().println(Json.line(one)));
        } else {
            terminal.err().print(new DiagnosticView(terminal.errStyle()).text(typeable(diagnostics)));
        }
        terminal.err().flush();
    }
}
