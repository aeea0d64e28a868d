package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Bundles;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.apply.UnknownResolvers;
import io.deepsite.cluster.PciStage;
import io.deepsite.cluster.SiteStages;
import io.deepsite.contract.Contents;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Desired;
import io.deepsite.plan.DriftReport;
import io.deepsite.plan.FormerUsers;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Planner;
import io.deepsite.plan.Twins;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.remote.Readiness;
import io.deepsite.remote.Remote;
import io.deepsite.remote.SshRemote;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.Site;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.FileSiteLock;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.LockOwner;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import io.deepsite.state.StateRecorder;
import io.deepsite.state.VaultFormat;
import io.deepsite.state.VaultKeyFile;
import io.deepsite.verify.VerifyReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** One site, opened: looks and plans. What changes something takes the lock for as long as it runs. */
public final class SiteSession implements AutoCloseable {
    private final RuntimeContext around;
    private final Path file;
    private final LoadResult loaded;
    private final Site site;
    private final StateFolder folder;
    private final VaultKeyFile vaultKey;
    private final SecretStore secrets;
    private final Provider provider;
    private final Access access;
    private final HostInspector looking;
    private final Remote remote;
    private final Readiness readiness;

    /** @param opening makes no remote call */
    SiteSession(Path file, LoadResult loaded, RuntimeContext around, Function<Site, Provider> opening) {
        this(file, loaded, around, opening, new SshRemote(around.ssh()), VaultFormat.ANSIBLE);
    }

    /** @param remote the way to hosts */
    SiteSession(
            Path file,
            LoadResult loaded,
            RuntimeContext around,
            Function<Site, Provider> opening,
            Remote remote,
            VaultFormat format) {
        this.around = around;
        this.file = file;
        this.loaded = loaded;
        this.site = loaded.orFail();
        this.folder = StateFolder.of(file, site.name().value());
        this.vaultKey = VaultKeyFile.locate(around.environment(), around.userHome());
        this.secrets = new SecretStore(folder, vaultKey, format, around.notices());
        openVault();
        this.provider = opening.apply(site);
        provider.warnings().forEach(around.notices());
        this.access = new Access(secrets, folder, site.name().value(), site.ssh(), parent(file), around.userHome());
        this.remote = remote;
        this.readiness = new Readiness(
                remote,
                site.ssh().patience().duration(),
                provider.capabilities().lateHostKey());
        this.looking = new HostInspector(access, remote, group -> PciStage.gives(site, group));
    }

    /**
     * Reads site.yaml; touches nothing else.
     *
     * @param set values of parameters
     * @throws io.deepsite.diag.Failure with all faults of the file
     */
    public static SiteSession open(Path siteFile, Map<String, String> set, RuntimeContext around) {
        return of(siteFile, around.kinds().loader().load(siteFile, set), around);
    }

    /** Of a site that was read already, or that its file is to say. */
    public static SiteSession of(Path siteFile, LoadResult loaded, RuntimeContext around) {
        return new SiteSession(siteFile, loaded, around, site -> Providers.open(site.provider(), parent(siteFile)));
    }

    public Site site() {
        return site;
    }

    SiteStages stages() {
        return new SiteStages(around.kinds(), site);
    }

    public LoadResult loaded() {
        return loaded;
    }

    public Path file() {
        return file;
    }

    public RuntimeContext surroundings() {
        return around;
    }

    public StateFolder folder() {
        return folder;
    }

    public Provider provider() {
        return provider;
    }

    public Access access() {
        return access;
    }

    public SecretStore secrets() {
        return secrets;
    }

    public Remote remote() {
        return remote;
    }

    Readiness readiness() {
        return readiness;
    }

    HostInspector looking() {
        return looking;
    }

    /** As recorded; a fresh one, not written yet, for a site that was never applied here. */
    public SiteState state() {
        return store().read().orElseGet(() -> SiteState.fresh(site.name().value(), around.tool()));
    }

    public StatusReport status() {
        return StatusReport.of(this);
    }

    public SiteLock lock() {
        return fileLock();
    }

    /** A run that held it was killed. */
    boolean isLockOfTheDead() {
        return fileLock().isOfTheDead();
    }

    private FileSiteLock fileLock() {
        return new FileSiteLock(folder, LockOwner.current(around.tool()), around.clock(), around.notices());
    }

    FileStateStore store() {
        return new FileStateStore(folder);
    }

    /** To plan by; see {@link RecordedBackEnd#survey} and {@link Twins#refuse}. */
    Survey survey(SiteState state) {
        var survey = RecordedBackEnd.survey(this, state);
        Twins.refuse(survey.owned(), state);
        return survey;
    }

    /** Also of a back-end that the state does not speak of. */
    Survey surveyAnywhere() {
        return provider.survey(new Tags.Scope.OneSite(site.name()));
    }

    Desired desired(Survey survey) {
        var state = state();
        return desired(measured(survey, state), state, new KeptRendering(folder, around.home()));
    }

    private Desired desired(HostInspector.Measured measured, SiteState state, KeptRendering kept) {
        return new DesiredStateBuilder(site, around.kinds(), around.home(), FormerUsers.accounts(state))
                .from(measured.design(), kept);
    }

    /** That takes a tenth of a second on purpose; other things are read meanwhile. Whoever needs a secret gets its faults. */
    private void openVault() {
        var _ = CompletableFuture.runAsync(secrets::names);
    }

    private HostInspector.Measured measured(Survey survey, SiteState state) {
        return looking.measured(survey.compile(site, stages().requirements()), state);
    }

    /** As {@link #plan(boolean, Set)}; machines keep the images they were made from. */
    public Plan plan() {
        return plan(false, Set.of());
    }

    /**
     * Looks at the provider and at every host, changes nothing.
     *
     * @param refreshImages machines of an image whose name means another one now are replaced
     * @param allowed consents that shape the plan: with REMOVE_PACKAGES roles are left with their packages
     */
    public Plan plan(boolean refreshImages, Set<Consent> allowed) {
        awaitLeftPlay();
        FirstRun.refuseFaults(site, file, around.kinds());
        var kept = new KeptRendering(folder, around.home());
        var state = state();
        ImmutableKeys.refuseChanges(around.kinds(), loaded, state);
        if (state.hosts().isEmpty()) {
            // Else the first one to notice would be the first machine, when it is made already.
            access.jumpHost().ifPresent(jump -> remote.open(jump).close());
        }
        looking.begin(state);
        var survey = survey(state);
        if (!refreshImages) {
            survey.movedImages(site).forEach(this::tellMoved);
        }
        var measured = measured(refreshImages ? survey.withImagesOfNow() : survey, state);
        return plan(desired(measured, state, kept), measured.silent(), survey.owned(), state, allowed);
    }

    private void tellMoved(String image) {
        around.notices()
                .accept(new Diagnostic(
                        Diagnostic.Severity.NOTE,
                        Code.IMAGE_MOVED,
                        null,
                        "The image " + image + " is another one than that which machines of the site were made from."
                                + " They stay as they are.",
                        "This makes them anew; what they hold is lost:",
                        List.of("deepsite apply --refresh-images --allow replace")));
    }

    /** A plan made while the play of a killed run works on would be about hosts that still change. */
    private void awaitLeftPlay() {
        if (isLockOfTheDead()) {
            leftPlays().await();
        }
    }

    OrphanedRuns leftPlays() {
        return new OrphanedRuns(folder.runsFolder(), around.notices());
    }

    /** To a site of which nothing is left; see {@link #plan(boolean, Set)}. */
    public Plan destroyPlan(Set<Consent> allowed) {
        awaitLeftPlay();
        var nothing = new Desired(
                new Design(List.of(), List.of()), List.of(), Map.of(), List.of(), new Contents(new TreeMap<>()));
        var state = state();
        return plan(nothing, Map.of(), survey(state).owned(), state, allowed);
    }

    private Plan plan(
            Desired desired,
            Map<String, List<Diagnostic>> silent,
            List<ObservedResource> owned,
            SiteState state,
            Set<Consent> allowed) {
        Planner.refuseForeignLineage(site.name(), owned, state);
        boolean everythingGoes = desired.design().machines().isEmpty();
        // Machines that go with their whole site need no look inside.
        var looks = everythingGoes && provider.capabilities().makesMachines()
                ? new ProbeResults(new TreeMap<>(), new TreeMap<>())
                : looking.at(desired, owned, state, silent);
        return Planner.plan(new Planner.Input(
                site.name(),
                everythingGoes ? Optional.empty() : site.lease(),
                around.tool(),
                state,
                desired,
                owned,
                looks.answers(),
                looks.silent(),
                UnknownResolvers.of(secrets, Map.of()),
                around.home().tasks(),
                allowed.contains(Consent.REMOVE_PACKAGES)));
    }

    /**
     * Does exactly what the plan says, under the site's lock; then the site proves itself if it has to.
     *
     * @throws io.deepsite.diag.Failure STALE_PLAN, CONSENT_NEEDED, WORLD_MOVED, LOCK_HELD: then nothing was touched
     */
    public RunResult apply(Plan plan, ApplyOptions options, Consumer<Event> events, Cancel cancel) {
        return new ApplyOperation(this, plan, options, events, cancel, Optional.empty()).run();
    }

    /**
     * The same as part of another site's proof, which may take away again what it made, and nothing else.
     *
     * @param of the site.yaml of that other site
     * @throws io.deepsite.diag.Failure FIRST_RUN_OF_OTHERS, and as {@link #apply}
     */
    RunResult applyAsFirstRun(Path of, Plan plan, ApplyOptions options, Cancel cancel) {
        return new ApplyOperation(this, plan, options, _ -> {}, cancel, Optional.of(of)).run();
    }

    /**
     * The site proves itself now, whatever the last proof says.
     *
     * @throws Failure UNKNOWN_STAGE when nothing was applied yet, CANCELLED when it could not end
     */
    public Verified verify(Consumer<Event> events, Cancel cancel) {
        var plan = plan();
        new AppliedHosts(state().hosts()).refuseNone();
        if (!plan.steps().isEmpty() || !plan.retags().isEmpty()) {
            around.notices()
                    .accept(Diagnostic.warning(
                            Code.CHANGES_WAIT,
                            null,
                            plan.steps().size() + " steps are not applied; what runs now is proved.",
                            ""));
        }
        var report = proving().prove(plan, new TreeSet<>(), events, cancel);
        if (plan.isEmpty()) {
            try (var lock = lock().acquire("verify")) {
                new StateRecorder(store(), lock, state())
                        .record(state -> state.withVerify(new RecordedVerify(
                                plan.fingerprint(),
                                report.green() ? Outcome.PASSED : Outcome.FAILED,
                                around.clock().instant())));
            }
        }
        return new Verified(report, faults(plan.silent()));
    }

    /** @param silent why hosts did not answer deepsite, whatever the cluster says of them */
    public record Verified(VerifyReport report, List<Diagnostic> silent) {}

    private static List<Diagnostic> faults(Map<String, List<Diagnostic>> silent) {
        return silent.values().stream().flatMap(List::stream).toList();
    }

    /** Writes the bundle of the whole site into a folder that is empty or not there yet; touches no host. */
    public void render(Path out) {
        new Rendering(this).render(out);
    }

    /**
     * Rebuilds a lost state from the tags.
     *
     * @return the machines that were taken over
     */
    public List<String> adopt() {
        return new Adoption(this).adopt();
    }

    /** How a host is reached, as recorded at its last apply. */
    public SshTarget target(String host) {
        var recorded = state().hosts();
        new AppliedHosts(recorded).refuseOtherThan(host);
        return access.target(host, recorded);
    }

    VaultKeyFile vaultKey() {
        return vaultKey;
    }

    VerifyOperation proving() {
        return new VerifyOperation(access, remote, FirstRun.of(this));
    }

    Bundles bundles() {
        return new Bundles(around.home(), vaultKey, site.ssh().patience().duration(), around.notices());
    }

    /** Recorded against observed, without a look at what site.yaml asks. */
    public Drifted drift() {
        var state = state();
        var kept = new KeptRendering(folder, around.home());
        looking.begin(state);
        var survey = survey(state);
        var measured = measured(survey, state);
        var desired = desired(measured, state, kept);
        var looks = looking.at(desired, survey.owned(), state, measured.silent());
        var found = new DriftReport(
                        state,
                        survey.owned(),
                        looks.answers(),
                        UnknownResolvers.of(secrets, Map.of()),
                        desired.contents())
                .found();
        return new Drifted(found, faults(looks.silent()));
    }

    /** @param silent why hosts did not answer: nothing is known of what changed there */
    public record Drifted(List<Plan.Drift> found, List<Diagnostic> silent) {}

    @Override
    public void close() {
        looking.close();
        provider.close();
    }

    private static Path parent(Path file) {
        var parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }
}
