package io.deepsite.service.sites;

import io.deepsite.service.records.Tables;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/** What a run tells goes into the events of its site. */
final class RunProgress implements SiteWork.Progress {
    private final Tables tables;
    private final InstantSource clock;
    private final SiteRow site;
    private final RunRow run;

    RunProgress(Tables tables, InstantSource clock, SiteRow site, RunRow run) {
        this.tables = tables;
        this.clock = clock;
        this.site = site;
        this.run = run;
    }

    @Override
    public void steps(int number) {
        ifOurs(handle -> RunTable.steps(handle, run.id(), number));
    }

    @Override
    public void tell(String event, boolean endsStep) {
        ifOurs(handle -> {
            if (endsStep) {
                RunTable.stepDone(handle, run.id());
            }
            RunTable.addEvent(handle, site.id(), Optional.of(run.id()), clock.instant(), event);
        });
    }

    /** A process that was stopped for long, and wakes, tells nothing of a run that went on elsewhere. */
    private void ifOurs(Consumer<Handle> write) {
        tables.whenBack(handle -> {
            // Under the lock under which attempts begin and end.
            SiteTable.lock(handle, site.id());
            var now = RunTable.find(handle, run.id()).orElseThrow();
            boolean ours = now.attempt() == run.attempt() && !now.status().isOver();
            if (ours) {
                write.accept(handle);
            }
            return ours;
        });
    }
}
