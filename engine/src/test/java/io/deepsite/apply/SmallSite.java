package io.deepsite.apply;

import io.deepsite.ansible.Ansible;
import io.deepsite.ansible.FakeAnsible;
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
import io.deepsite.provider.FakeSettings;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.HostProbe;
import io.deepsite.remote.LocalRemote;
import io.deepsite.remote.LoginKey;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.remote.Readiness;
import io.deepsite.remote.Remote;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Span;
import io.deepsite.site.SshAccess;
import io.deepsite.state.FileJournal;
import io.deepsite.state.FileRuns;
import io.deepsite.state.FileSiteLock;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.FileVault;
import io.deepsite.state.JournalContents;
import io.deepsite.state.JournalEntry;
import io.deepsite.state.LockOwner;
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

/** A head and nodes on the in-memory provider, all of them this machine; a script replaces ansible-playbook. */
final class SmallSite {
    private static final Action IN_SERVICE = new Action(
            "in-service",
            "lets the node work",
            List.of("true"),
            "in-service.yml",
            Optional.of("in-service_undo.yml"),
            Optional.empty(),
            Action.Impact.DRAIN,
            new TreeMap<>(Map.of("controller", "head", "others", List.of("node-2"))),
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
    /** Of each contract: a new one causes a step for every role. */
    String fingerprint = "f";
    /** Roles with an action that is undone before their machine is deleted. */
    final Set<String> draining = new TreeSet<>();

    String path;

    private final Map<String, Runnable> told = new TreeMap<>();
    /** Items of each role besides its file. */
    List<Item> more = List.of();

    Map<String, String> texts = new TreeMap<>(Map.of(Digests.sha256("x\n"), "x\n"));
    int cpus = 1;
    /** Of each machine: adding or removing one restarts it. */
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
        this.secrets = new SecretStore(new FileVault(folder), keyFile, _ -> {});
        this.access = new Access(
                secrets,
                new LoginKey(folder, "lab", Optional.empty()),
                new SshAccess(
                        "root",
                        22,
                        Optional.empty(),
                        Optional.empty(),
                        Span.parse("5m"),
                        Span.parse("20m"),
                        Optional.empty()),
                root,
                root);
    }

    Plan plan() {
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("head", Sites.single("debian/12", cpus, "1GiB", cards));
        groups.put("node", Sites.many(image, nodes, 1, "1GiB", cards));
        var site = Sites.site("lab", new FakeSettings(), groups);
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
        var run = new FileRuns(folder).begin(now);
        try (var held = lock.acquire("apply");
                var journal = FileJournal.open(folder, () -> now, _ -> {})) {
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
                            Ansible.here(Map.of("PATH", path)),
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

    /** Leaves the state of a run that was killed before it recorded everything. */
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

    /** Runs {@code work} when an event of a step contains this text. */
    void whenTold(String text, Runnable work) {
        told.put(text, work);
    }

    /** Releases a play that waits in {@code read <name}. */
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

    /** @param first what each play does before it reports: {@code $play} is its name, {@code $all} its hosts */
    SmallSite withAnsible(String failing, String first) throws IOException {
        FakeAnsible.PASSING
                .failingOn(failing, "no")
                .doing(first.isBlank() ? ":" : first)
                .write(root);
        return this;
    }

    /** Name and hosts of each play, in order. */
    List<String> plays() throws IOException {
        var file = root.resolve("plays");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Ids of the steps in the order in which they ended. */
    List<String> ended() {
        return events.stream()
                .filter(Event.Ended.class::isInstance)
                .map(event -> ((Event.Ended) event).step())
                .toList();
    }

    SmallSite withStage(String name, String role, List<String> needs, String... hosts) {
        return withStage(name, role, 0, needs, hosts);
    }

    /** One host at a time. */
    SmallSite withRollingStage(String name, String role, List<String> needs, String... hosts) {
        return withStage(name, role, 1, needs, hosts);
    }

    private SmallSite withStage(String name, String role, int batch, List<String> needs, String... hosts) {
        var variables = new LinkedHashMap<String, Map<String, Object>>();
        for (var host : hosts) {
            variables.put(host, Map.of());
        }
        stages.add(new Stage(name, role, variables, batch, needs, false));
        return this;
    }

    private Contract contract(String role, String host) {
        var items = new ArrayList<>(more);
        items.add(file("/etc/" + role, "x\n"));
        return new Contract(role, host, items, draining.contains(role) ? List.of(IN_SERVICE) : List.of());
    }

    /** Makes the probe of running hosts report every action as done and every item as different. */
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

    /** Makes the probe report the stages' hosts as Ansible left them. */
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
        return Files.readString(new FileRuns(folder).all().getLast().folder().resolve(file));
    }
}
