package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Waits until things are as wanted. However many wait, one list is read per interval for all of them: whoever comes first
 * reads it, the others take its word. Thread-safe.
 */
public final class Polling<T> {
    public static final Duration INTERVAL = Duration.ofSeconds(2);

    private final String who;
    private final Code tooSlow;
    private final Supplier<Map<String, T>> list;
    private final Pause pause;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private boolean reading;
    private long begun;
    private long ended;
    private Map<String, T> latest = Map.of();

    /**
     * @param who does what is waited for, in the middle of a sentence: {@code the cloud}
     * @param tooSlow of the fault when a limit is over
     * @param list everything there is, by id
     */
    public Polling(String who, Code tooSlow, Supplier<Map<String, T>> list, Pause pause, InstantSource clock) {
        this.who = who;
        this.tooSlow = tooSlow;
        this.list = list;
        this.pause = pause;
        this.clock = clock;
    }

    /**
     * @param id of the thing
     * @param done asked with each new look; empty when it is not there
     * @param what for messages: {@code server lab-head}
     * @return as it was in the last look
     */
    public Optional<T> await(String id, Predicate<Optional<T>> done, Duration limit, String what, Call call) {
        var end = clock.instant().plus(limit);
        // A list that was begun before the caller's own change may not know it yet.
        long wanted = afterNow();
        while (true) {
            var look = look(wanted, what, end);
            var seen = Optional.ofNullable(look.get(id));
            if (done.test(seen)) {
                return seen;
            }
            if (call.cancelled()) {
                throw new Failure(Diagnostic.error(
                        Code.CANCELLED,
                        "Waiting for " + what + " was cancelled; " + who + " continues it.",
                        "Run the same command again: it goes on from here."));
            }
            wanted = afterNow();
        }
    }

    private long afterNow() {
        lock.lock();
        try {
            return begun + 1;
        } finally {
            lock.unlock();
        }
    }

    private Map<String, T> look(long wanted, String what, Instant end) {
        lock.lock();
        try {
            while (ended < wanted) {
                if (clock.instant().isAfter(end)) {
                    throw new Failure(Diagnostic.error(
                            tooSlow,
                            capital(who) + " did not finish " + what + " in time; it continues.",
                            "Look at what " + who
                                    + " says of it, then run the same command again: it goes on from here."));
                }
                if (reading) {
                    news.await();
                } else {
                    read();
                }
            }
            return latest;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "Waiting for " + what + " was interrupted.", ""), e);
        } finally {
            lock.unlock();
        }
    }

    private void begin() {
        lock.lock();
        try {
            begun++;
        } finally {
            lock.unlock();
        }
    }

    private static String capital(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /** Called with the lock held; gives it away while it waits and reads. */
    private void read() {
        reading = true;
        lock.unlock();
        Map<String, T> read = Map.of();
        boolean whole = false;
        try {
            pause.of(INTERVAL);
            begin();
            read = list.get();
            whole = true;
        } finally {
            lock.lock();
            reading = false;
            if (whole) {
                latest = read;
                ended = begun;
            }
            news.signalAll();
        }
    }
}
