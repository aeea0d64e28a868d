package io.deepsite.service.sites;

import io.deepsite.service.records.Tables;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets any number of watchers wait for events of sites, which any process of the service may write: one look at the tables a
 * moment, for all of them together. Any thread may call.
 */
public final class EventFeed implements AutoCloseable {
    private static final Logger LOG = System.getLogger(EventFeed.class.getName());
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final int AT_ONCE = 500;

    private final Tables tables;
    private final SiteService sites;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("events").factory());
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    /** How many watch each site. */
    private final Map<String, Integer> watched = new ConcurrentHashMap<>();

    private Map<String, Long> last = Map.of();
    private boolean closed;

    public EventFeed(Tables tables, SiteService sites) {
        this.tables = tables;
        this.sites = sites;
        var _ = looks.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * @param after number of the last event that the watcher has
     * @return the next ones, or none when the time is over
     */
    public List<EventRow> next(String site, long after, Duration patience) throws InterruptedException {
        watched.merge(site, 1, Integer::sum);
        try {
            var there = sites.events(site, after, AT_ONCE);
            if (!there.isEmpty()) {
                return there;
            }
            await(site, after, patience);
            return isClosed() ? List.of() : sites.events(site, after, AT_ONCE);
        } finally {
            watched.computeIfPresent(site, (_, watchers) -> watchers == 1 ? null : watchers - 1);
        }
    }

    /** Whether it has ended, so that nothing comes any more. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void await(String site, long after, Duration patience) throws InterruptedException {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (left > 0 && !closed && last.getOrDefault(site, 0L) <= after) {
                left = more.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        try {
            var ids = List.copyOf(watched.keySet());
            var found = ids.isEmpty() ? Map.<String, Long>of() : tables.in(handle -> SiteTable.lastEvents(handle, ids));
            lock.lock();
            try {
                last = found;
                more.signalAll();
            } finally {
                lock.unlock();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "looking for events failed", e);
        }
    }

    /** Lets all who wait go. */
    @Override
    public void close() {
        looks.close();
        lock.lock();
        try {
            closed = true;
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
