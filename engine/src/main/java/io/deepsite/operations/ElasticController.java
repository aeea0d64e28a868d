package io.deepsite.operations;

import io.deepsite.cluster.Elastic;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.ShellWord;
import io.deepsite.site.Name;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The controller of one cluster with elastic machines: follows what it wants over one SSH connection of deepsite's, and tells
 * it what became of that. Nothing on the controller knows a way to deepsite or to the back-end.
 */
final class ElasticController implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final int MOST_REFUSALS = 20;

    private final Name cluster;
    private final Elastic elastic;
    private final String host;
    private final ElasticMachines machines;
    private final Supplier<SiteContext> opening;
    private final Runnable changed;
    private final Consumer<Diagnostic> notices;
    private final Duration reconnect;
    private final Set<String> refused = new HashSet<>();
    private final Thread follower;
    private volatile boolean over;
    private @Nullable RemoteHost connection;
    private volatile Optional<ElasticRequest> latest = Optional.empty();

    /**
     * @param opening of the site, for one use
     * @param changed called when it says something new
     */
    ElasticController(
            Name cluster,
            Elastic elastic,
            String host,
            ElasticMachines machines,
            Supplier<SiteContext> opening,
            Runnable changed,
            Consumer<Diagnostic> notices,
            Duration reconnect) {
        this.reconnect = reconnect;
        this.cluster = cluster;
        this.elastic = elastic;
        this.host = host;
        this.machines = machines;
        this.opening = opening;
        this.changed = changed;
        this.notices = notices;
        this.follower = Thread.ofVirtual().name("elastic-" + cluster).start(this::follow);
    }

    Elastic elastic() {
        return elastic;
    }

    String host() {
        return host;
    }

    /** What it wants; empty until it has said so once. A controller that is silent still wants what it last said. */
    Optional<ElasticRequest> latest() {
        return latest;
    }

    /** These do not exist any more. */
    void gone(SortedSet<String> names) {
        tell("gone", names, "");
    }

    /** These could not be made. */
    void failed(SortedSet<String> names, String why) {
        tell("failed", names, why + "\n");
    }

    /** These may be asked for again. */
    void retry(SortedSet<String> names) {
        tell("retry", names, "");
    }

    private void tell(String word, SortedSet<String> names, String input) {
        var argv = new ArrayList<>(List.of(elastic.program(), word));
        argv.addAll(names);
        try (var context = opening.get();
                var remote = context.remote().open(context.target(host))) {
            var said = new ByteArrayOutputStream();
            int exit = remote.exec(
                    argv,
                    new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                    OutputStream.nullOutputStream(),
                    said,
                    ANSWER);
            if (exit != 0) {
                notices.accept(Diagnostic.warning(
                        Code.WORK_REFUSED,
                        null,
                        "The controller " + host + " of " + cluster + " does not take \"" + word + "\": "
                                + said.toString(StandardCharsets.UTF_8).strip() + " (exit status " + exit + ").",
                        "deepsite tells it again."));
            }
        }
    }

    private void follow() {
        var told = "";
        while (!over) {
            try {
                watch();
            } catch (Failure e) {
                var words = e.diagnostics().toString();
                if (!over && !words.equals(told)) {
                    e.diagnostics().forEach(notices);
                }
                told = words;
            }
            try {
                Thread.sleep(reconnect);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void watch() {
        try (var context = opening.get();
                var remote = context.remote().open(context.target(host))) {
            if (!opened(remote)) {
                return;
            }
            var ended = remote.follow(
                    "exec " + ShellWord.quote(elastic.program()) + " watch",
                    new TreeMap<>(),
                    Duration.ZERO,
                    this::line);
            throw new Failure(Diagnostic.error(
                    Code.CONNECTION_BROKEN,
                    elastic.program() + " on " + host + " ended with exit status " + ended.exit() + ". "
                            + ended.stderrTail(2),
                    "deepsite starts it again. If it is missing, apply the site:",
                    "deepsite apply"));
        }
    }

    private synchronized boolean opened(RemoteHost remote) {
        connection = remote;
        return !over;
    }

    private void line(String line) {
        var request = ElasticRequest.parse(line, name -> machines.contains(elastic, name), this::refuse);
        if (request.isPresent() && !request.equals(latest)) {
            latest = request;
            changed.run();
        }
    }

    private void refuse(String text) {
        if (refused.size() < MOST_REFUSALS && refused.add(text)) {
            notices.accept(refusal(host, cluster, text));
        }
    }

    static Diagnostic refusal(String host, Name cluster, String text) {
        return Diagnostic.error(
                Code.ELASTIC_REFUSED,
                "The controller " + host + " says \"" + text + "\", which is no elastic machine of the cluster "
                        + cluster + ". Nothing was made or removed for it.",
                "If max was changed in site.yaml, apply the site. Else look at the controller: somebody may have changed"
                        + " Slurm's configuration, or the host.");
    }

    @Override
    public void close() {
        synchronized (this) {
            over = true;
            if (connection != null) {
                connection.close();
            }
        }
        follower.interrupt();
    }
}
