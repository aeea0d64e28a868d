package io.deepsite.tosca;

import io.deepsite.site.Size;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** TOSCA's scalar-unit.size: {@code 2 GB} are 2 000 000 000 bytes, {@code 2 GiB} are 2 147 483 648. */
final class Sizes {
    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?) *([A-Za-z]+)");
    private static final Map<String, Long> UNITS = Map.of(
            "b", 1L,
            "kb", 1_000L,
            "kib", 1L << 10,
            "mb", 1_000_000L,
            "mib", 1L << 20,
            "gb", 1_000_000_000L,
            "gib", 1L << 30,
            "tb", 1_000_000_000_000L,
            "tib", 1L << 40);

    private Sizes() {}

    /** In whole MiB, rounded up; empty for no size, and for zero. */
    static Optional<Size> parse(String text) {
        var match = AMOUNT.matcher(text.strip());
        if (!match.matches()) {
            return Optional.empty();
        }
        var unit = UNITS.get(match.group(2).toLowerCase(Locale.ROOT));
        if (unit == null) {
            return Optional.empty();
        }
        var mebibytes = new BigDecimal(match.group(1))
                .multiply(BigDecimal.valueOf(unit))
                .divide(BigDecimal.valueOf(1L << 20), 0, RoundingMode.CEILING)
                .longValue();
        return mebibytes == 0 ? Optional.empty() : Optional.of(new Size(mebibytes << 20));
    }
}
