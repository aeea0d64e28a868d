package io.deepsite.state;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * For tests only: {@code DEEPSITE_CRASH_AT=<point>:<n>} ends the process, as kill -9 would, when it passes the named point
 * for the n-th time (from 1). Without the variable a point costs one comparison. Points: {@code
 * journal.intent.before|after}, {@code journal.done.before|after}, {@code journal.failed.before|after}, {@code
 * state.write.before|mid|after}, {@code vault.write.before|mid|after}, {@code remote.before|after} (a provider's changing
 * call), {@code stage.before|after} (an Ansible run).
 */
public final class CrashPoint {
    /** What a shell reports for a process that was ended by SIGKILL. */
    private static final int KILLED = 137;

    private static final @Nullable CrashPoint ARMED = parse(System.getenv("DEEPSITE_CRASH_AT"));

    private final String point;
    private final AtomicInteger left;

    private CrashPoint(String point, int passes) {
        this.point = point;
        this.left = new AtomicInteger(passes);
    }

    public static void pass(String point) {
        if (ARMED != null && ARMED.point.equals(point) && ARMED.left.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(KILLED);
        }
    }

    private static @Nullable CrashPoint parse(@Nullable String setting) {
        if (setting == null || setting.isEmpty()) {
            return null;
        }
        var colon = setting.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("DEEPSITE_CRASH_AT must be <point>:<n>, was " + setting);
        }
        return new CrashPoint(setting.substring(0, colon), Integer.parseInt(setting.substring(colon + 1)));
    }
}
