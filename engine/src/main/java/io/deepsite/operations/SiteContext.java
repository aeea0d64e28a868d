package io.deepsite.operations;

import io.deepsite.apply.Access;
import io.deepsite.apply.Bundles;
import io.deepsite.cluster.PciStage;
import io.deepsite.cluster.SiteStages;
import io.deepsite.plan.Twins;
import io.deepsite.provider.Design;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Providers;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.remote.CountedRemote;
import io.deepsite.remote.LoginKey;
import io.deepsite.remote.Readiness;
import io.deepsite.remote.Remote;
import io.deepsite.remote.SshRemote;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.Site;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteLock;
import io.deepsite.state.SiteState;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import io.deepsite.state.StateStore;
import io.deepsite.state.Vault;
import io.deepsite.state.VaultFormat;
import io.deepsite.state.VaultKeyFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** One open site: what its operations work with. What was read of hosts and back-end is kept for one call only. */
public final class SiteContext implements AutoCloseable {
    private final RuntimeContext runtime;
    private final Path file;
    private final LoadResult loaded;
    private final Site site;
    private final StateFolder folder;
    private final SiteStores records;
    private final VaultKeyFile vaultKey;
    private final SecretStore secrets;
    private final Provider provider;
    private final LoginKey loginKey;
    private final Access access;
    private final CountedRemote remote;
    private final Readiness readiness;
    private final Function<Site, Provider> opening;
    private final VaultFormat format;

    /** @param opening makes no remote call */
    SiteContext(Path file, LoadResult loaded, RuntimeContext runtime, Function<Site, Provider> opening) {
        this(file, loaded, runtime, opening, new SshRemote(runtime.ssh()), VaultFormat.ANSIBLE);
    }

    /** @param remote the way to hosts */
    SiteContext(
            Path file,
            LoadResult loaded,
            RuntimeContext runtime,
            Function<Site, Provider> opening,
            Remote remote,
            VaultFormat format) {
        this.runtime = runtime;
        this.opening = opening;
        this.format = format;
        this.file = file;
        this.loaded = loaded;
        this.site = loaded.orFail();
        this.folder = StateFolder.of(file, site.name().value());
        this.records = runtime.records(file, site.name());
        this.vaultKey = VaultKeyFile.locate(runtime.environment(), runtime.userHome());
        this.secrets = new SecretStore(records.vault(), vaultKey, format, runtime.notices());
        openVault();
        this.provider = opening.apply(site);
        provider.warnings().forEach(runtime.notices());
        this.loginKey =
                new LoginKey(folder, site.name().value(), records.isShared() ? Optional.of(secrets) : Optional.empty());
        this.access = new Access(secrets, loginKey, site.ssh(), parent(file), runtime.userHome());
        this.remote = new CountedRemote(remote);
        this.readiness = new Readiness(
                this.remote,
                site.ssh().patience().duration(),
                provider.capabilities().lateHostKey());
    }

    /**
     * Reads site.yaml; touches nothing else.
     *
     * @param set values of parameters
     * @throws io.deepsite.diag.Failure with all faults of the file
     */
    public static SiteContext open(Path siteFile, Map<String, String> set, RuntimeContext runtime) {
        return of(siteFile, runtime.kinds().loader().load(siteFile, set), runtime);
    }

    /** Of a site that was read already, or that its file is to say. */
    public static SiteContext of(Path siteFile, LoadResult loaded, RuntimeContext runtime) {
        return new SiteContext(
                siteFile, loaded, runtime, site -> runtime.kinds().providers().open(site.provider(), parent(siteFile)));
    }

    /** Another site at the same back-end, with a state beside this one's. */
    SiteContext beside(Site other) {
        return new SiteContext(file, loaded.of(other), runtime, opening, remote, format);
    }

    public Site site() {
        return site;
    }

    Providers providers() {
        return runtime.kinds().providers();
    }

    SiteStages stages() {
        return new SiteStages(runtime.kinds(), site);
    }

    public LoadResult loaded() {
        return loaded;
    }

    public Path file() {
        return file;
    }

    public RuntimeContext runtime() {
        return runtime;
    }

    /** What only this machine needs; and the records, unless they are kept elsewhere. */
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

    /** SSH connections to each host so far, by its name; without those of Ansible. */
    public Map<String, Integer> connections() {
        return remote.opened();
    }

    Readiness readiness() {
        return readiness;
    }

    /** For one operation, which closes it. */
    HostInspector inspector() {
        return new HostInspector(access, remote, group -> PciStage.gives(site, group));
    }

    /** The same, asking already what a plan asks most of the time; for an operation that asks once. */
    HostInspector prefetching(SiteState state) {
        return inspector().prefetching(state);
    }

    /** What the site is to be on a back-end as it was seen. Elastic machines stay as they are, there or not. */
    Design compile(Survey survey) {
        return compile(survey, elastic().existing(survey.owned(), state()));
    }

    /** The same with these elastic machines and no others. */
    Design compile(Survey survey, SortedSet<String> machines) {
        return survey.compile(elastic().with(machines), stages().requirements());
    }

    ElasticMachines elastic() {
        return new ElasticMachines(runtime.kinds(), site);
    }

    KeptRendering keptRendering() {
        return new KeptRendering(folder, runtime.home());
    }

    /** As recorded; a fresh one, not written yet, for a site that was never applied here. */
    public SiteState state() {
        return records.state()
                .read()
                .orElseGet(() -> SiteState.fresh(site.name().value(), runtime.tool()));
    }

    public StatusReport status() {
        return StatusReport.of(this);
    }

    public SiteLock lock() {
        return records.lock();
    }

    StateStore store() {
        return records.state();
    }

    /** Everything that is recorded of the site. */
    public SiteStores records() {
        return records;
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

    /** That takes a tenth of a second on purpose; other things are read meanwhile. Whoever needs a secret gets its faults. */
    private void openVault() {
        var _ = CompletableFuture.runAsync(secrets::names);
    }

    /** How a host is reached, as recorded at its last apply. */
    public SshTarget target(String host) {
        var recorded = state().hosts();
        new AppliedHosts(recorded).refuseOtherThan(host);
        return access.target(host, recorded);
    }

    LoginKey loginKey() {
        return loginKey;
    }

    /** Secrets of this site that are kept somewhere else. */
    SecretStore secretsIn(Vault vault) {
        return new SecretStore(vault, vaultKey, format, runtime.notices());
    }

    VaultKeyFile vaultKey() {
        return vaultKey;
    }

    OrphanedRuns orphanedRuns() {
        return new OrphanedRuns(folder.runsFolder(), runtime.notices());
    }

    Bundles bundles() {
        return new Bundles(runtime.home(), vaultKey, site.ssh().patience().duration(), runtime.notices());
    }

    @Override
    public void close() {
        provider.close();
        records.close();
    }

    private static Path parent(Path file) {
        var parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }
}
