package io.deepsite.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Durations and times for people. */
public final class Elapsed {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Elapsed() {}

    /** {@code 2026-01-02 03:04 UTC} */
    public static String utc(Instant instant) {
        return TIME.format(instant);
    }

    /** The two largest units, {@code 1 h 5 min}; below ten seconds with one decimal, {@code 4.2 s}. */
    public static String words(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 10) {
            return duration.toMillis() % 1000 < 50
                    ? seconds + " s"
                    : String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return two(seconds / 60, "min", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return two(seconds / 3600, "h", seconds % 3600 / 60, "min");
        }
        return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    /** {@code 3 h ago}: the largest unit only. */
    public static String ago(Instant then, Instant now) {
        long seconds = Math.max(0, Duration.between(then, now).toSeconds());
        if (seconds < 5) {
            return "just now";
        }
        if (seconds < 60) {
            return seconds + " s ago";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min ago";
        }
        return seconds < 2 * 86_400 ? seconds / 3600 + " h ago" : seconds / 86_400 + " d ago";
    }

    /** Fixed width: {@code  1:05}, {@code 12:00:01}. */
    public static String clock(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds < 3600
                ? String.format(Locale.ROOT, "%2d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds % 3600 / 60, seconds % 60);
    }

    private static String two(long large, String unit, long small, String smaller) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smaller);
    }
}
