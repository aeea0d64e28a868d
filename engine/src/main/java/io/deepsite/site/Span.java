package io.deepsite.site;

import java.time.Duration;
import java.util.regex.Pattern;

/** A length of time, more than zero. YAML: {@code 90s}, {@code 10m}, {@code 4h}, {@code 2d}; a bare number is refused. */
public record Span(Duration duration) implements Comparable<Span> {
    public static final String PATTERN = "([0-9]{1,7})(s|m|h|d)";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    public Span {
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException("a time is more than 0 s");
        }
    }

    /** @throws IllegalArgumentException with the accepted forms, for a missing or unknown unit */
    public static Span parse(String text) {
        var match = VALID.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("a time carries its unit: s, m, h or d, such as 4h");
        }
        long amount = Long.parseLong(match.group(1));
        return new Span(
                switch (match.group(2)) {
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    case "h" -> Duration.ofHours(amount);
                    default -> Duration.ofDays(amount);
                });
    }

    @Override
    public int compareTo(Span other) {
        return duration.compareTo(other.duration);
    }

    @Override
    public String toString() {
        long seconds = duration.toSeconds();
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
