package io.deepsite.apply;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Seen;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Desired;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Planner;
import io.deepsite.provider.Design;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.remote.Executable;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.LocalRemote;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.remote.Readiness;
import io.deepsite.remote.Remote;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Span;
import io.deepsite.site.SshAccess;
import io.deepsite.state.FileSiteLock;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.Journal;
import io.deepsite.state.JournalContents;
import io.deepsite.state.JournalEntry;
import io.deepsite.state.LockOwner;
import io.deepsite.state.Runs;
import io.deepsite.state.Secret;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import io.deepsite.state.StateRecorder;
import io.deepsite.state.VaultKeyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A head and nodes on the provider in memory, reached on this machine, and a script in the place of ansible-playbook. */
final class SmallSite {
    private static final Action IN_SERVICE = new Action(
            "in-service",
            "lets the node work",
            List.of("true"),
            "in-service.yml",
            Optional.of("in-service_undo.yml"),
            Optional.empty(),
            Action.Impact.DRAIN,
            new TreeMap<>(),
            "d",
            true);

    final FakeProvider provider = new FakeProvider();
    final Cancel cancel = new Cancel();
    final List<Event> events = new ArrayList<>();
    final List<Stage> stages = new ArrayList<>();
    final Map<String, ProbeAnswer> observed = new TreeMap<>();
    final Map<String, List<Diagnostic>> silent = new TreeMap<>();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    Remote remote = new LocalRemote();
    Optional<LeaseTerms> lease = Optional.empty();
    boolean wanted = true;
    int nodes = 2;
    String image = "debian/12";
    /** Of each contract: another one makes a step of every role. */
    String fingerprint = "f";
    /** Roles with an action that is undone before their machine goes. */
    final Set<String> draining = new TreeSet<>();

    String path;

    private final Map<String, Runnable> told = new TreeMap<>();
    /** What each role asks besides its file. */
    List<Item> more = List.of();

    Map<String, String> texts = new TreeMap<>(Map.of(Digests.sha256("x\n"), "x\n"));
    int cpus = 1;
    /** Of each machine: one is restarted to get or lose one. */
    GpuRequest[] cards = {};

    private final Path root;
    private final StateFolder folder;
    private final VaultKeyFile keyFile;
    private final SecretStore secrets;
    final Access access;

    SmallSite(Path root) {
        this.root = root;
        this.path = root + ":/usr/bin:/bin";
        this.folder = new StateFolder(root.resolve("state")).make();
        this.keyFile = VaultKeyFile.locate(Map.of(), root);
        this.secrets = new SecretStore(folder, keyFile, _ -> {});
        this.access = new Access(
                secrets,
                folder,
                "lab",
                new SshAccess("root", 22, Optional.empty(), Optional.empty(), Span.parse("5m"), Span.parse("20m")),
                root,
                root);
    }

    Plan plan() {
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("head", Sites.single("debian/12", cpus, "1GiB", cards));
        groups.put("node", Sites.many(image, nodes, 1, "1GiB", cards));
        var site = Sites.site("lab", new ProviderSettings.Static("unused"), groups);
        var survey = provider.survey(new Tags.Scope.OneSite(site.name()));
        var contracts = new LinkedHashMap<String, Map<String, Desired.RenderedRole>>();
        stages.forEach(stage -> {
            var hosts = new TreeMap<String, Desired.RenderedRole>();
            stage.hosts()
                    .forEach(host ->
                            hosts.put(host, new Desired.RenderedRole(contract(stage.role(), host), fingerprint)));
            contracts.put(stage.name(), hosts);
        });
        var design =
                wanted ? survey.compile(site, new Requirements(Map.of(), List.of())) : new Design(List.of(), List.of());
        return Planner.plan(new Planner.Input(
                new Name("lab"),
                wanted ? lease : Optional.empty(),
                "1.0",
                state(),
                new Desired(
                        design, wanted ? stages : List.of(), contracts, List.of(), new Contents(new TreeMap<>(texts))),
                survey.owned(),
                observed,
                silent,
                UnknownResolvers.of(secrets, Map.of()),
                Set.of("slurm_node/in-service_undo.yml"),
                false));
    }

    ApplyResult apply(Plan plan) {
        return apply(plan, ApplyOptions.ALL);
    }

    ApplyResult apply(Plan plan, ApplyOptions options) {
        var lock = new FileSiteLock(folder, LockOwner.current("1.0"), () -> now, _ -> {});
        var run = new Runs(folder).begin(now);
        try (var held = lock.acquire("apply");
                var journal = Journal.open(folder, () -> now, _ -> {})) {
            journal.settle(run.id());
            var hosts = new Applier.HostAccess(
                    access,
                    new Readiness(remote, Duration.ofHours(1), false),
                    new HostProbe(remote, 4),
                    new Bundles(DeepsiteHome.find(), keyFile, Duration.ofHours(1), _ -> {}));
            var recorder = new StateRecorder(new FileStateStore(folder), held, state());
            return new Applier(
                            plan,
                            provider,
                            secrets,
                            hosts,
                            new Applier.RunControl(recorder, journal, run, this::hear, cancel),
                            Map.of("PATH", path),
                            () -> now)
                    .apply(options);
        }
    }

    private void hear(Event event) {
        synchronized (events) {
            events.add(event);
        }
        if (event instanceof Event.Progress progress) {
            told.getOrDefault(progress.text(), () -> {}).run();
        }
    }

    ApplyResult apply() {
        return apply(plan());
    }

    SiteState state() {
        return new FileStateStore(folder).read().orElseGet(() -> SiteState.fresh("lab", "1.0"));
    }

    /** As a run leaves it that was killed before it could record all. */
    void write(SiteState state) {
        new FileStateStore(folder).write(state);
    }

    List<String> openIntents() {
        return JournalContents.read(folder.journalFile()).openIntents().stream()
                .map(JournalEntry::step)
                .toList();
    }

    List<String> secretNames() {
        return List.copyOf(secrets.names());
    }

    /** Steps of the journal, in order. */
    List<String> journalled() {
        return JournalContents.read(folder.journalFile()).entries().stream()
                .map(JournalEntry::step)
                .toList();
    }

    Event.StepOutcome outcome(String step) {
        return events.stream()
                .filter(event ->
                        event instanceof Event.Ended ended && ended.step().equals(step))
                .map(event -> ((Event.Ended) event).outcome())
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError(step + " did not end"));
    }

    void unlock() {
        var lock = new FileSiteLock(folder, LockOwner.current("1.0"), () -> now, _ -> {});
        lock.unlock(lock.holder().orElseThrow().id());
    }

    /** Does something as soon as a run tells this of a step. */
    void whenTold(String text, Runnable work) {
        told.put(text, work);
    }

    /** Lets a play go on that waits for {@code read <name}. */
    void let(String name) {
        try {
            var fifo = root.resolve(name);
            new ProcessBuilder("sh", "-c", "echo >" + fifo).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param failing a host on which each play fails; empty for none */
    SmallSite withAnsible(String failing) throws IOException {
        return withAnsible(failing, "");
    }

    /** @param first what each play does before it tells its results: {@code $1} is its file, {@code $3} its hosts */
    SmallSite withAnsible(String failing, String first) throws IOException {
        Executable.write(
                root.resolve("ansible-playbook"),
                """
                #!/bin/sh
                [ "$1" != --version ] || { echo 'ansible-playbook [core 2.14.3]'; exit 0; }
                echo "$1 $3" >>"$HOME_OF_TEST/plays"
                cd "$HOME_OF_TEST"
                BEFORE
                for host in $(echo "$3" | tr , ' '); do
                    failures=0
                    if [ "$host" = "FAILING" ]; then
                        failures=1
                        echo '{"event":"result","host":"'$host'","status":"failed","task":"Hold","msg":"no"}' >>"$DEEPSITE_EVENTS"
                    fi
                    all="$all${all:+,}\\"$host\\":{\\"failures\\":$failures,\\"unreachable\\":0}"
                done
                echo '{"event":"stats","hosts":{'$all'}}' >>"$DEEPSITE_EVENTS"
                """.replace("FAILING", failing).replace("BEFORE", first).replace("$HOME_OF_TEST", root.toString()));
        return this;
    }

    /** File and hosts of each play, in order. */
    List<String> plays() throws IOException {
        var file = root.resolve("plays");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    SmallSite withStage(String name, String role, List<String> needs, String... hosts) {
        var variables = new LinkedHashMap<String, Map<String, Object>>();
        for (var host : hosts) {
            variables.put(host, Map.of());
        }
        stages.add(new Stage(name, role, variables, 0, needs, false));
        return this;
    }

    private Contract contract(String role, String host) {
        var items = new ArrayList<>(more);
        items.add(file("/etc/" + role, "x\n"));
        return new Contract(role, host, items, draining.contains(role) ? List.of(IN_SERVICE) : List.of());
    }

    /** As the probe of hosts that run shows them: every action done, every item in need of a look. */
    SmallSite observe(String... hosts) {
        for (var host : hosts) {
            observed.put(
                    host,
                    new ProbeAnswer(
                            new HostFacts(
                                    "debian",
                                    "12",
                                    "bookworm",
                                    1,
                                    1024,
                                    "x86_64",
                                    host,
                                    "6",
                                    "",
                                    "b",
                                    Optional.empty(),
                                    0,
                                    true),
                            new TreeMap<>(),
                            new TreeSet<>(draining.stream()
                                    .map(role -> role + "/in-service")
                                    .toList()),
                            new TreeMap<>()));
        }
        return this;
    }

    Item.File file(String path, String text) {
        texts.put(Digests.sha256(text), text);
        return new Item.File(
                path,
                "root",
                "root",
                "0644",
                Digests.sha256(text),
                Marker.secretsIn(text),
                Marker.unknownsIn(text),
                Item.Owner.OURS,
                Item.Phase.BEFORE,
                Item.Notify.NONE);
    }

    void putSecret(String name, String value) {
        secrets.put(name, Secret.of(value));
    }

    /** As the hosts of the stages are once Ansible has worked. */
    void observeAll() {
        var resolver = UnknownResolvers.of(secrets, Map.of());
        for (var stage : stages) {
            for (var host : stage.hosts()) {
                var items = new TreeMap<String, Seen>();
                for (var item : contract(stage.role(), host).items()) {
                    items.put(item.id(), seen((Item.File) resolver.close(item, new Contents(new TreeMap<>(texts)))));
                }
                observed.put(host, answer(items));
            }
        }
    }

    private static Seen seen(Item.File file) {
        return Seen.of(Map.of(
                "exists",
                true,
                "type",
                "file",
                "sha256",
                file.body(),
                "owner",
                file.owner(),
                "group",
                file.group(),
                "mode",
                file.mode()));
    }

    private static ProbeAnswer answer(SortedMap<String, Seen> items) {
        return new ProbeAnswer(
                new HostFacts(
                        "debian", "12", "bookworm", 1, 1024, "x86_64", "h", "6", "", "b", Optional.empty(), 0, true),
                items,
                new TreeSet<>(),
                new TreeMap<>());
    }

    String stateText() throws IOException {
        return Files.readString(folder.stateFile());
    }

    /** A file of the last run's folder. */
    String ofLastRun(String file) throws IOException {
        return Files.readString(new Runs(folder).all().getLast().folder().resolve(file));
    }
}
