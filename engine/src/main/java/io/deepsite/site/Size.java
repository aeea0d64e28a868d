package io.deepsite.site;

import java.util.regex.Pattern;

/** An amount of memory or disk in bytes, more than zero. YAML: {@code 512MiB}, {@code 20GiB}; a bare number is refused. */
public record Size(long bytes) implements Comparable<Size> {
    public static final String PATTERN = "([0-9]{1,9})(KiB|MiB|GiB|TiB)";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    public Size {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a size is more than 0 bytes");
        }
    }

    /** @throws IllegalArgumentException with the accepted forms, for a missing or unknown unit */
    public static Size parse(String text) {
        var match = VALID.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("a size carries its unit: KiB, MiB, GiB or TiB, such as 2GiB");
        }
        int shift = switch (match.group(2)) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            default -> 40;
        };
        long amount = Long.parseLong(match.group(1));
        if (amount > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("a size is less than 8 EiB");
        }
        return new Size(amount << shift);
    }

    public long mebibytes() {
        return bytes >> 20;
    }

    @Override
    public int compareTo(Size other) {
        return Long.compare(bytes, other.bytes);
    }

    /** The largest unit that divides it, as YAML takes it. */
    @Override
    public String toString() {
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        for (int i = 3; i > 0; i--) {
            if (bytes % (1L << (10 * (i + 1))) == 0) {
                return (bytes >> (10 * (i + 1))) + units[i];
            }
        }
        return (bytes >> 10) + "KiB";
    }
}
