package io.deepsite.service.sites;

import io.deepsite.ansible.ControlNodes;
import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticFields;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.operations.ApplyOperation;
import io.deepsite.operations.ClusterAccess;
import io.deepsite.operations.LeaseOperation;
import io.deepsite.operations.PlanOperation;
import io.deepsite.operations.RunResult;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.operations.SecretKeeping;
import io.deepsite.operations.SiteContext;
import io.deepsite.operations.UserCertificates;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.site.Name;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.LockRecord;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.Secret;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import io.deepsite.verify.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Does what the command line does, on sites of the service. Any thread may call. */
public final class SiteWork {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<Code> OF_RECORDS =
            EnumSet.of(Code.LOCK_HELD, Code.LOCK_LOST, Code.STORE_FAILED, Code.CONTROL_NODE_LOST);

    private final Path folder;
    private final RuntimeContext runtime;
    private final Opening opening;

    /** How a site is opened: {@link SiteContext#open}, or with hosts in memory. */
    @FunctionalInterface
    public interface Opening {
        SiteContext open(Path file, Map<String, String> set, RuntimeContext runtime);
    }

    /** @param folder of this process, for what it needs of each site while it works */
    public SiteWork(Path folder, RuntimeContext runtime, Opening opening) {
        this.folder = folder;
        this.runtime = runtime;
        this.opening = opening;
    }

    /** The same, with Ansible running where these say. */
    SiteWork on(ControlNodes nodes) {
        return new SiteWork(folder, runtime.with(nodes), opening);
    }

    /** What somebody who watches is told. */
    interface Progress {
        void steps(int number);

        /** @param event one JSON object */
        void tell(String event, boolean endsStep);
    }

    /** @param handsOver whether this process ends, so that the run goes on in another one */
    RunEnd run(SiteRow site, RunRow run, Cancel cancel, BooleanSupplier handsOver, Progress progress) {
        try {
            return in(site, site.target(), notice(progress), context -> switch (run.verb()) {
                case PLAN -> plan(context);
                case APPLY -> applied(context, consents(site), cancel, handsOver, progress);
                case DELETE -> deleted(context, cancel, handsOver, progress);
            });
        } catch (Failure e) {
            if (isOfRecords(e.diagnostics()) || handsOver.getAsBoolean()) {
                return RunEnd.LATER;
            }
            return RunEnd.failed(
                    e.isCancelled() ? RunRow.Status.CANCELLED : RunRow.Status.FAILED,
                    faults(e.diagnostics()),
                    Optional.empty());
        }
    }

    /** The site itself has no fault: another process works on it, or its records are out of reach. */
    private static boolean isOfRecords(List<Diagnostic> diagnostics) {
        return diagnostics.stream().map(Diagnostic::code).anyMatch(OF_RECORDS::contains);
    }

    private static RunEnd plan(SiteContext context) {
        var plan = new PlanOperation(context).plan(false, Set.of());
        return RunEnd.done(JSON.writeValueAsString(steps(plan)), Optional.empty());
    }

    /** What the plan destroys or interrupts that somebody said yes to. */
    private static Set<Consent> consents(SiteRow site) {
        return Arrays.stream(Consent.values())
                .filter(consent -> site.consents().contains(consent.word()))
                .collect(Collectors.toSet());
    }

    private RunEnd applied(
            SiteContext context, Set<Consent> allowed, Cancel cancel, BooleanSupplier handsOver, Progress progress) {
        // A run that was handed over may come back to a site that it has built already.
        var plan = new PlanOperation(context).plan(false, Set.of());
        var ended = execute(context, plan, allowed, cancel, progress);
        var lease = Optional.ofNullable(context.state().lease()).map(RecordedLease::ends);
        if (ended.exit() == ExitCode.DONE) {
            return RunEnd.done(JSON.writeValueAsString(result(context, ended)), lease);
        }
        return isOfRecords(ended.diagnostics()) || handsOver.getAsBoolean()
                ? RunEnd.LATER
                : RunEnd.failed(how(ended), faults(diagnostics(ended)), lease);
    }

    private RunEnd deleted(SiteContext context, Cancel cancel, BooleanSupplier handsOver, Progress progress) {
        var plan = new PlanOperation(context).destroyPlan(EnumSet.allOf(Consent.class));
        var ended = execute(context, plan, plan.consents(), cancel, progress);
        if (ended.exit() != ExitCode.DONE) {
            return isOfRecords(ended.diagnostics()) || handsOver.getAsBoolean()
                    ? RunEnd.LATER
                    : RunEnd.failed(how(ended), faults(diagnostics(ended)), Optional.empty());
        }
        var status = context.status();
        if (!status.machines().isEmpty() || !status.others().isEmpty()) {
            return RunEnd.failed(
                    RunRow.Status.FAILED,
                    faults(List.of(Diagnostic.error(
                            Code.NOT_NOW,
                            "The back-end still has something of this site: "
                                    + String.join(
                                            ", ",
                                            names(
                                                    status.machines().stream()
                                                            .map(row -> row.name())
                                                            .toList(),
                                                    status.others()))
                                    + ".",
                            "Delete it again."))),
                    Optional.empty());
        }
        context.records().remove();
        return RunEnd.done("{}", Optional.empty());
    }

    private static List<String> names(List<String> machines, List<String> others) {
        var all = new ArrayList<>(machines);
        all.addAll(others);
        return all;
    }

    private static RunResult execute(
            SiteContext context, Plan plan, Set<Consent> allowed, Cancel cancel, Progress progress) {
        progress.steps(plan.steps().size());
        var options = new ApplyOptions(allowed, Optional.empty(), Optional.empty());
        return new ApplyOperation(context, plan, options, event -> tell(progress, event), cancel).run();
    }

    /** One line for each step, no more: the rest is in the logs of the run. */
    private static void tell(Progress progress, Event event) {
        if (!(event instanceof Event.Progress) && !(event instanceof Event.AnsibleEnded)) {
            progress.tell(JSON.writeValueAsString(event), event instanceof Event.Ended);
        }
    }

    private static Consumer<Diagnostic> notice(Progress progress) {
        return diagnostic -> progress.tell(event(diagnostic), false);
    }

    static String event(Diagnostic notice) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("event", "notice");
        fields.putAll(DiagnosticFields.of(List.of(notice)).getFirst());
        return JSON.writeValueAsString(fields);
    }

    private static RunRow.Status how(RunResult ended) {
        return ended.cancelled() ? RunRow.Status.CANCELLED : RunRow.Status.FAILED;
    }

    private static List<Diagnostic> diagnostics(RunResult ended) {
        var all = ended.diagnostics();
        return ended.cancelled() && all.isEmpty()
                ? List.of(Diagnostic.error(
                        Code.CANCELLED, "Somebody stopped it; what is there stays.", "Try again, or delete the site."))
                : all;
    }

    static String faults(List<Diagnostic> diagnostics) {
        return JSON.writeValueAsString(DiagnosticFields.of(diagnostics));
    }

    private static List<Map<String, String>> steps(Plan plan) {
        return plan.steps().stream().map(SiteWork::step).toList();
    }

    private static Map<String, String> step(Step step) {
        var words = new TreeMap<>(Map.of(
                "step", step.id(),
                "change", step.change().name().toLowerCase(Locale.ROOT),
                "reason", step.reason()));
        if (!step.consents().isEmpty()) {
            words.put("consents", step.consents().stream().map(Consent::word).collect(Collectors.joining(",")));
        }
        return words;
    }

    /** What a plan needs, of its result. */
    static List<String> consentsOf(String result) {
        return JSON.readTree(result)
                .valueStream()
                .map(step -> step.path("consents").asString(""))
                .flatMap(words -> Arrays.stream(words.split(",", -1)))
                .filter(word -> !word.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }

    private static Map<String, Object> result(SiteContext context, RunResult ended) {
        var result = new LinkedHashMap<String, Object>();
        var hosts = new TreeMap<String, String>();
        context.state().hosts().forEach((name, host) -> hosts.put(name, host.address()));
        result.put("hosts", hosts);
        result.put("checks", ended.verify().map(VerifyReport::results).orElse(List.of()));
        ended.lease().ifPresent(who -> result.put("leaseEnforcedBy", who));
        return result;
    }

    /** Names of those that are configured. */
    public Set<String> hosts(SiteRow site) {
        if ((site.status() == SiteStatus.PLANNED && !site.built()) || site.status() == SiteStatus.DELETED) {
            return Set.of();
        }
        try (var records = records(site)) {
            return records.state()
                    .read()
                    .map(state -> state.hosts().keySet())
                    .map(Set::copyOf)
                    .orElse(Set.of());
        }
    }

    /** Who changes it now; none if that one certainly has ended. */
    Optional<LockRecord> holder(SiteRow site) {
        try (var records = records(site)) {
            return records.lock().isOfTheDead()
                    ? Optional.empty()
                    : records.lock().holder();
        }
    }

    /** An event for those who wait for that. */
    static String held(LockRecord holder) {
        return event(Diagnostic.error(
                Code.LOCK_HELD,
                "Somebody else works on it: " + holder.describe() + ".",
                "It goes on by itself as soon as that has ended."));
    }

    private SiteStores records(SiteRow site) {
        return runtime.records(folder.resolve(site.id()).resolve("site.yaml"), Name.parse(site.name()));
    }

    /**
     * @return the new end
     * @throws Failure NOT_NOW
     */
    public Instant extend(SiteRow site, Duration by) {
        if (site.status() != SiteStatus.READY) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_NOW, "Only the lease of a site that is ready is extended.", "Wait until it is ready."));
        }
        return in(
                site,
                site.parameters(),
                _ -> {},
                context -> new LeaseOperation(context).extend(by).lease().ends());
    }

    /** @param account on its machines, of whoever has the key */
    public UserCertificates.Signed certificate(SiteRow site, String account, String publicKey) {
        return in(
                site,
                site.parameters(),
                _ -> {},
                context -> new UserCertificates(context).sign(Name.parse(account), publicKey, Optional.empty()));
    }

    /** The file by which people log in to a cluster as themselves: {@link io.deepsite.cluster.ClusterKind.LoginFile}. */
    public String loginFile(SiteRow site, Name cluster) {
        return in(site, site.parameters(), _ -> {}, context -> {
            var access = new ClusterAccess(context);
            return runtime.kinds()
                    .of(context.site(), cluster, access.cluster(cluster))
                    .loginFile()
                    .orElseThrow(() -> new Failure(Diagnostic.error(
                            Code.NOT_FOUND, "The cluster " + cluster + " has no such file.", "Choose another one.")))
                    .text()
                    .apply(access);
        });
    }

    /** @throws Failure SECRET_UNKNOWN */
    public Secret secret(SiteRow site, String name) {
        return in(site, site.parameters(), _ -> {}, context -> new SecretKeeping(context).show(name));
    }

    /** Opens the site for one piece of work. */
    <T> T in(
            SiteRow site, Map<String, String> parameters, Consumer<Diagnostic> notices, Function<SiteContext, T> work) {
        var file = written(site, "site.yaml");
        try (var context = opening.open(file, parameters, runtime.withNotices(notices))) {
            return work.apply(context);
        }
    }

    /**
     * For as long as its caller wants.
     *
     * @param file not that of runs, which may be about to bring another site.yaml
     */
    SiteContext opened(SiteRow site, String file, Consumer<Diagnostic> notices) {
        return opening.open(written(site, file), site.parameters(), runtime.withNotices(notices));
    }

    ClusterKinds kinds() {
        return runtime.kinds();
    }

    /** Nothing of the service remembers it: another process writes its own. */
    private Path written(SiteRow site, String name) {
        try {
            var home = new StateFolder(folder.resolve(site.id())).make();
            var file = home.path().resolve(name);
            // A certificate may be signed while a run reads it.
            AtomicFile.swap(file, site.yaml().getBytes(StandardCharsets.UTF_8));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ids of sites of which this process has files. */
    List<String> kept() {
        try (var sites = Files.list(folder)) {
            return sites.map(site -> site.getFileName().toString()).toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param site id of one that is gone */
    void forget(String site) {
        try (var files = Files.walk(folder.resolve(site))) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException _) {
            // Another process worked on it.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
