package io.deepsite.postgresql;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.FileRuns;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteStores;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs with their events and logs; the folder of a run is on the machine that works. */
final class PostgresRuns implements Runs {
    private final Database database;
    private final SiteStores.Opening site;
    private final PostgresLock lock;

    PostgresRuns(Database database, SiteStores.Opening site, PostgresLock lock) {
        this.database = database;
        this.site = site;
        this.lock = lock;
    }

    @Override
    public Run begin(Instant at) {
        var local = new FileRuns(site.folder());
        while (true) {
            var run = local.begin(at);
            int made = lock.fenced(handle -> {
                handle.execute(
                        "DELETE FROM run WHERE site = ? AND id NOT IN (SELECT id FROM run WHERE site = ? ORDER BY id DESC LIMIT ?)",
                        site.site(),
                        site.site(),
                        KEPT - 1);
                handle.execute(
                        "DELETE FROM journal WHERE site = ? AND closed AND run NOT IN (SELECT id FROM run WHERE site = ?)",
                        site.site(),
                        site.site());
                return handle.execute(
                        "INSERT INTO run (site, id, fence, begun_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        site.site(),
                        run.id(),
                        lock.tenure(),
                        Timestamp.from(at));
            });
            // Else another machine began one in the same second.
            if (made == 1) {
                return run;
            }
        }
    }

    @Override
    public List<Run> all() {
        return database.in(handle -> handle.createQuery("SELECT id FROM run WHERE site = :site ORDER BY id")
                .bind("site", site.site())
                .mapTo(String.class)
                .map(id -> new Run(id, site.folder().runsFolder().resolve(id)))
                .list());
    }

    @Override
    public Lines events(Run run) {
        return new Events(run);
    }

    @Override
    public List<String> eventsOf(Run run) {
        return database.in(handle -> handle.createQuery(
                        "SELECT event::text FROM run_event WHERE site = :site AND run = :run ORDER BY seq")
                .bind("site", site.site())
                .bind("run", run.id())
                .mapTo(String.class)
                .list());
    }

    /** Nothing that was done depends on logs: a fault is told, and hides no other. */
    @Override
    public void keep(Run run) {
        try {
            lock.write(handle -> FileRuns.logsIn(run.folder())
                    .forEach((name, text) -> handle.execute(
                            "INSERT INTO run_log (site, run, name, content) VALUES (?, ?, ?, ?)"
                                    + " ON CONFLICT (site, run, name) DO UPDATE SET content = excluded.content",
                            site.site(),
                            run.id(),
                            name,
                            // Text in PostgreSQL has no NUL; what programs print may.
                            text.replace("\0", "\\0"))));
        } catch (Failure e) {
            e.diagnostics()
                    .forEach(each -> site.notices()
                            .accept(Diagnostic.warning(
                                    each.code(),
                                    each.where(),
                                    each.why() + " The logs of this run are in " + run.folder() + ".",
                                    "")));
        }
    }

    @Override
    public SortedMap<String, String> logs(Run run) {
        return database.in(handle -> handle
                .createQuery("SELECT name, content FROM run_log WHERE site = :site AND run = :run")
                .bind("site", site.site())
                .bind("run", run.id())
                .map((row, _) -> List.of(row.getString("name"), row.getString("content")))
                .list()
                .stream()
                .collect(Collectors.toMap(List::getFirst, List::getLast, (one, _) -> one, TreeMap::new)));
    }

    /** Written by a thread of its own, many at once: a run does not wait for the database at each of its events. */
    private final class Events implements Lines {
        private final Run run;
        private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
        private final Thread writer;
        private volatile @Nullable Failure fault;
        private volatile boolean isClosed;
        private long last;

        Events(Run run) {
            this.run = run;
            this.writer = Thread.ofVirtual().name("deepsite events").start(this::writeUntilClosed);
        }

        @Override
        public void add(String line) {
            var failed = fault;
            if (failed != null) {
                throw failed;
            }
            waiting.add(line);
        }

        @Override
        public void close() {
            isClosed = true;
            waiting.add("");
            try {
                writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            var failed = fault;
            if (failed != null) {
                throw failed;
            }
        }

        private void writeUntilClosed() {
            try {
                var lines = new ArrayList<String>();
                while (!isClosed || !waiting.isEmpty()) {
                    lines.add(waiting.take());
                    waiting.drainTo(lines);
                    write(lines.stream().filter(line -> !line.isEmpty()).toList());
                    lines.clear();
                }
            } catch (Failure e) {
                fault = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void write(List<String> lines) {
            if (lines.isEmpty()) {
                return;
            }
            long begin = last;
            lock.write(handle -> {
                var batch = handle.prepareBatch("INSERT INTO run_event (site, run, seq, event)"
                        + " VALUES (:site, :run, :seq, CAST(:event AS json)) ON CONFLICT DO NOTHING");
                for (int i = 0; i < lines.size(); i++) {
                    batch.bind("site", site.site())
                            .bind("run", run.id())
                            .bind("seq", begin + i + 1)
                            .bind("event", lines.get(i))
                            .add();
                }
                batch.execute();
            });
            last += lines.size();
        }
    }
}
