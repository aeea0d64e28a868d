package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.lease.Reaper;
import io.deepsite.plan.Plan;
import io.deepsite.provider.Capabilities;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.Provider;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.CrashPoint;
import io.deepsite.state.FileStores;
import io.deepsite.state.JournalContents;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultFormat;
import io.deepsite.state.VaultKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The site "lab" on a back-end in memory. Each command opens it anew, as a process does, and can be killed at any instant. */
final class KillableSite {
    /**
     * kill -9 within the process of the tests: at that pass of a point, and at every later one, so that nothing which has a
     * point is done any more, whatever a finally block wants.
     */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Above what Linux gives to a process (PID_MAX_LIMIT, 2^22). */
    private static final String NO_PROCESS = "4194305";

    static final VaultFormat IN_CLEAR = new VaultFormat() {
        @Override
        public byte[] encrypt(byte[] plain, VaultKey key) {
            return plain;
        }

        @Override
        public byte[] decrypt(byte[] vault, VaultKey key, String name) {
            return vault;
        }
    };

    private static final Set<String> CHANGES = Set.of("create", "update", "delete", "release", "retag", "place");
    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

    private final Path folder;
    private final MemoryBackEnd backEnd;
    private final MemoryHosts hosts;
    private Instant now = BEGIN;
    private @Nullable SiteContext open;

    KillableSite(Path folder, MemoryBackEnd backEnd) {
        this.folder = folder;
        this.backEnd = backEnd;
        this.hosts = new MemoryHosts(backEnd::inside);
    }

    /** A folder of programs for the operations; not part of the site. */
    Path tools() {
        return folder.resolveSibling("tools");
    }

    MemoryBackEnd backEnd() {
        return backEnd;
    }

    // What somebody does.

    void write(String rest) {
        write(backEnd.settings(), rest);
    }

    void writeWithDisk(String rest) {
        write(backEnd.withDisk(), rest);
    }

    private void write(String settings, String rest) {
        try {
            Files.writeString(
                    file(),
                    "apiVersion: deepsite/v1\nsite: lab\nprovider: " + settings + "\nssh: {patience: 1s}\n" + rest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void apply() {
        in(context -> run(context, new PlanOperation(context).plan()));
    }

    void destroy() {
        in(context -> run(context, new PlanOperation(context).destroyPlan(Set.of())));
    }

    void bake() {
        in(context -> new BakeOperation(context, _ -> {}, new Cancel()).bake(Optional.empty()));
    }

    void adopt() {
        in(c -> new AdoptOperation(c).adopt());
    }

    void collect() {
        in(context -> {
            var collected = GcOperation.delete(context, GcOperation.of(context), _ -> {});
            assertThat(collected.faults()).isEmpty();
            return collected;
        });
    }

    void extend(Duration by) {
        in(context -> {
            var extended = new LeaseOperation(context).extend(by);
            assertThat(extended.diagnostics()).isEmpty();
            return extended;
        });
    }

    void reap() {
        in(context -> {
            var result = new Reaper(context.provider(), _ -> {}).reap(now);
            assertThat(result.diagnostics()).isEmpty();
            return result;
        });
    }

    void setSecret(String name, String value) {
        in(context -> {
            new SecretKeeping(context).set(name, value);
            return name;
        });
    }

    /** Makes a machine that the state does not record. */
    void orphan(String machine) {
        in(context -> context.store()
                .write(context.state().withoutResource("instance/" + machine).withoutHost(machine)));
    }

    void lose(String... files) {
        try {
            for (var file : files) {
                Files.deleteIfExists(state().path().resolve(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void loseAll() {
        KeptFolder.empty(state().path());
    }

    void later(Duration time) {
        now = now.plus(time);
    }

    private static RunResult run(SiteContext context, Plan plan) {
        var options = new ApplyOptions(plan.consents(), Optional.empty(), Optional.empty());
        var result = new ApplyOperation(context, plan, options, _ -> {}, new Cancel()).run();
        assertThat(result.exit()).as(() -> result.diagnostics().toString()).isEqualTo(ExitCode.DONE);
        return result;
    }

    // What is left.

    /** Everything but what is different each time: keys, run and lineage, serials. */
    String portrait() {
        return in(context -> {
            var state = context.state();
            var lines = new ArrayList<>(backEnd.things());
            for (var seen : context.surveyAnywhere().owned()) {
                lines.add(seen.id() + " " + seen.name() + " " + seen.attributes() + " " + seen.condition() + " until "
                        + seen.tags().expiresAt()
                        + (seen.tags().lineage().equals(state.lineage()) ? "" : " of another lineage"));
            }
            state.resources().forEach((id, recorded) -> lines.add("recorded " + id + " " + recorded));
            state.hosts().forEach((name, host) -> lines.add("host " + name + " " + host.withHostKey(null)));
            lines.add("lease " + state.lease() + ", provider " + state.provider() + ", secrets "
                    + state.secrets().keySet() + ", apply "
                    + Optional.ofNullable(state.apply()).map(apply -> apply.outcome()));
            lines.add("vault " + context.secrets().names());
            lines.sort(null);
            return backEnd.comparable(String.join("\n", lines));
        });
    }

    /** What must not be once an operation was repeated. */
    List<String> faults(boolean destroyed) {
        return in(context -> {
            var faults = new ArrayList<String>();
            var plan = destroyed ? new PlanOperation(context).destroyPlan(Set.of()) : new PlanOperation(context).plan();
            if (!plan.isEmpty() || !plan.gone().isEmpty()) {
                faults.add("the plan is not empty: " + plan.steps() + " " + plan.retags() + " " + plan.gone());
            }
            if (!GcOperation.of(context).isEmpty()) {
                faults.add("orphans: " + GcOperation.of(context));
            }
            if (!JournalContents.read(state().journalFile()).openIntents().isEmpty()) {
                faults.add("the journal has open intents");
            }
            context.lock().holder().ifPresent(holder -> faults.add("locked: " + holder.describe()));
            for (var host : context.state().hosts().keySet()) {
                try (RemoteHost open = context.remote().open(context.target(host))) {
                    open.sh("exit 0\n", Duration.ZERO);
                } catch (Failure e) {
                    faults.add(host + " refuses logins: " + e.diagnostics());
                }
            }
            return List.copyOf(faults);
        });
    }

    Runnable keep() {
        var files = KeptFolder.of(folder);
        var things = backEnd.keep();
        var keys = hosts.keep();
        var time = now;
        return () -> {
            files.restore();
            things.run();
            keys.run();
            now = time;
        };
    }

    // Processes.

    /**
     * A pass of a point in an operation that goes on.
     *
     * @param differs whether a kill there leaves something else than one at the pass before
     */
    record Pass(String point, boolean differs) {}

    /** @return all points that an operation passes when it is not killed, in order */
    List<Pass> counted(Consumer<KillableSite> act) {
        var passes = new ArrayList<Pass>();
        var left = new AtomicReference<>("");
        process(act, point -> {
            synchronized (passes) {
                var now = KeptFolder.of(folder).digest() + backEnd.digest() + hosts.digest();
                passes.add(new Pass(point, !now.equals(left.getAndSet(now))));
            }
        });
        return passes;
    }

    /** @param last the pass that it does not survive, from 1 */
    List<String> killed(Consumer<KillableSite> act, int last) {
        var passed = new ArrayList<String>();
        if (!process(act, point -> pass(point, passed, last))) {
            throw new AssertionError("it went on although it was killed at " + passed);
        }
        giveLockToTheDead();
        return passed;
    }

    /**
     * In a thread of its own: a watcher is inherited, and a pool's thread that begins more threads would pass it on.
     *
     * @return whether it was killed
     */
    private boolean process(Consumer<KillableSite> act, Consumer<String> watcher) {
        var end = new AtomicReference<@Nullable Throwable>();
        var process = Thread.ofPlatform().start(() -> {
            CrashPoint.watch(watcher);
            try {
                act.accept(this);
            } catch (Throwable e) {
                end.set(e);
            }
        });
        try {
            process.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        var thrown = end.get();
        if (thrown != null && !isKill(thrown)) {
            throw new AssertionError("it failed by itself", thrown);
        }
        return thrown != null;
    }

    private static void pass(String point, List<String> passed, int last) {
        synchronized (passed) {
            if (passed.size() < last) {
                passed.add(point);
            }
            if (passed.size() >= last) {
                throw new Killed();
            }
        }
    }

    private static boolean isKill(Throwable thrown) {
        return thrown instanceof Killed || (thrown.getCause() != null && isKill(thrown.getCause()));
    }

    /** The process of the tests lives, so a lock that it left is not yet one that a killed process left. */
    private void giveLockToTheDead() {
        Stream.of("lab", "lab-bake").map(site -> StateFolder.of(file(), site)).forEach(KillableSite::giveLockToTheDead);
    }

    private static void giveLockToTheDead(StateFolder of) {
        try {
            var lock = of.lockFile();
            if (Files.exists(lock)) {
                var text = Files.readString(lock);
                var dead = text.replaceFirst("(\"pid\" ?: ?)[0-9]+", "$1" + NO_PROCESS);
                assertThat(dead).isNotEqualTo(text);
                Files.writeString(lock, dead);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the commands do in one process, to spare time. */
    <T> T inOneProcess(Supplier<T> commands) {
        return in(context -> {
            open = context;
            try {
                return commands.get();
            } finally {
                open = null;
            }
        });
    }

    private <T> T in(Function<SiteContext, T> work) {
        if (open != null) {
            return work.apply(open);
        }
        var kinds = new ClusterKinds(List.of(new RoleKind()), List.of(backEnd.factory()));
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of("PATH", tools() + ":/usr/bin:/bin"),
                folder.resolve("home"),
                folder.resolve("root"),
                () -> now,
                SshTimes.USUAL,
                kinds,
                FileStores::new,
                _ -> {});
        var loaded = kinds.loader().load(file(), Map.of());
        try (var context = new SiteContext(
                file(), loaded, runtime, site -> watched(backEnd.open(site.provider(), folder)), hosts, IN_CLEAR)) {
            return work.apply(context);
        }
    }

    private Path file() {
        return folder.resolve("site.yaml");
    }

    private StateFolder state() {
        return StateFolder.of(file(), "lab");
    }

    /**
     * A provider on another host, so that no timer for its leases is installed here; one without requests of its
     * own passes their points.
     */
    private Provider watched(Provider provider) {
        return (Provider) Proxy.newProxyInstance(
                Provider.class.getClassLoader(), new Class<?>[] {Provider.class}, (_, method, arguments) -> {
                    if (method.getName().equals("capabilities")) {
                        return distant(provider.capabilities());
                    }
                    if (backEnd.isPlain() && method.getName().equals("images")) {
                        return provider.images().map(KillableSite::watched);
                    }
                    if (!backEnd.isPlain() || !CHANGES.contains(method.getName())) {
                        return invoke(provider, method, arguments);
                    }
                    CrashPoint.pass("request.before");
                    var answer = invoke(provider, method, arguments);
                    CrashPoint.pass("request.after");
                    return answer;
                });
    }

    private static ImageStore watched(ImageStore store) {
        return (ImageStore) Proxy.newProxyInstance(
                ImageStore.class.getClassLoader(), new Class<?>[] {ImageStore.class}, (_, method, arguments) -> {
                    CrashPoint.pass("request.before");
                    var answer = invoke(store, method, arguments);
                    CrashPoint.pass("request.after");
                    return answer;
                });
    }

    private static Capabilities distant(Capabilities of) {
        return new Capabilities(of.makesMachines(), false, of.endsMachines(), of.bootReadable(), of.lateHostKey());
    }

    private static @Nullable Object invoke(Object provider, Method method, @Nullable Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(provider, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
