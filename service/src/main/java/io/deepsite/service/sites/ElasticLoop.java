package io.deepsite.service.sites;

import io.deepsite.apply.Cancel;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.ElasticEvent;
import io.deepsite.operations.ElasticOperation;
import io.deepsite.operations.ElasticPauses;
import io.deepsite.operations.ElasticRoom;
import io.deepsite.operations.SiteContext;
import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.records.Tables;
import io.deepsite.site.Site;
import io.deepsite.site.load.SiteLoader;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code deepsite elastic} does, for one site of the service, as long as it is as it was when this began and this
 * process follows it. Machines count for the quota while they exist: those that do not fit are not made, and their jobs wait.
 */
final class ElasticLoop implements ElasticRoom {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** These are worth a line of the audit: the other events are about them. */
    private static final Map<String, String> CHANGES =
            Map.of("made", "elastic machines made", "removed", "elastic machines removed");

    private final Tables tables;
    private final SiteWork work;
    private final Projects projects;
    private final InstantSource clock;
    private final String process;
    private final SiteRow site;
    private final Semaphore changes;
    private final Cancel cancel = new Cancel();
    /** Notices that were told: a controller that is away would be told of at each try. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * @param process name of this one
     * @param changes of it at once
     */
    ElasticLoop(
            Tables tables,
            SiteWork work,
            Projects projects,
            InstantSource clock,
            String process,
            SiteRow site,
            Semaphore changes) {
        this.tables = tables;
        this.work = work;
        this.projects = projects;
        this.clock = clock;
        this.process = process;
        this.site = site;
        this.changes = changes;
    }

    /** Until it is ended. */
    void run(SiteLoader loader, ElasticPauses pauses) {
        if (endUnlessOurs()) {
            return;
        }
        // Another site.yaml than this one ends it.
        var loaded = loader.load("site.yaml", site.yaml(), site.parameters());
        new ElasticOperation(() -> loaded, _ -> open(), this, this::notice, this::tell, cancel, pauses).run();
    }

    void end() {
        cancel.ask();
    }

    boolean hasEnded() {
        return cancel.asked();
    }

    /** @return whether it has ended */
    boolean endUnlessOurs() {
        if (!hasEnded() && !tables.in(handle -> ElasticTable.isFollowed(handle, site, process))) {
            end();
        }
        return hasEnded();
    }

    /** A process that was stopped for long, and wakes, ends here, and changes nothing by what it last heard. */
    private SiteContext open() {
        try {
            if (endUnlessOurs()) {
                throw new Failure(Diagnostic.error(Code.CANCELLED, "The site is not followed here any more.", ""));
            }
        } catch (JdbiException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.STORE_FAILED, "The tables of the service do not answer.", "It is tried again."),
                    e);
        }
        return work.opened(site, "elastic.yaml", this::notice);
    }

    /** The project's row is locked before the site's, as where the queue moves on. */
    @Override
    public Optional<String> take(Site with) {
        return tables.in(handle -> {
            SiteTable.lockProject(handle, site.project());
            var now = SiteTable.lock(handle, site.id()).orElseThrow();
            if (!ElasticTable.isFollowed(handle, site, process)) {
                end();
                return Optional.of("The site is not followed here any more.");
            }
            var asked = Amounts.of(with);
            var shares = projects.shares(handle, now, asked.beyond(now.amounts()));
            if (shares.stream().allMatch(Quota.Share::fits)) {
                SiteTable.amounts(handle, now, asked.most(now.amounts()), clock.instant());
                return Optional.empty();
            }
            return Optional.of("The quota of the project " + site.project() + " is full. "
                    + Projects.refused(shares).diagnostics().getFirst().why());
        });
    }

    @Override
    public void has(SortedSet<String> machines, Site with) {
        ifOurs(handle -> {
            SiteTable.amounts(handle, site, Amounts.of(with), clock.instant());
            ElasticTable.machines(handle, site.id(), machines);
        });
    }

    @Override
    public <T> T during(Supplier<T> change) {
        changes.acquireUninterruptibly();
        try {
            return change.get();
        } finally {
            changes.release();
        }
    }

    private void notice(Diagnostic notice) {
        if (!hasEnded() && told.add(notice.why())) {
            ifOurs(handle ->
                    RunTable.addEvent(handle, site.id(), Optional.empty(), clock.instant(), SiteWork.event(notice)));
        }
    }

    private void tell(ElasticEvent event) {
        ifOurs(handle -> {
            var now = clock.instant();
            RunTable.addEvent(
                    handle,
                    site.id(),
                    Optional.empty(),
                    now,
                    JSON.writeValueAsString(Map.of(
                            "event", "elastic",
                            "what", event.event(),
                            "machines", event.machines(),
                            "text", event.text())));
            Optional.ofNullable(CHANGES.get(event.event()))
                    .ifPresent(action -> AuditTable.add(
                            handle, now, Caller.SERVICE, action, site, String.join(", ", event.machines())));
        });
    }

    private void ifOurs(Consumer<Handle> write) {
        tables.whenBack(handle -> {
            SiteTable.lock(handle, site.id());
            boolean ours = ElasticTable.isFollowed(handle, site, process);
            if (ours) {
                write.accept(handle);
            }
            return ours;
        });
    }
}
