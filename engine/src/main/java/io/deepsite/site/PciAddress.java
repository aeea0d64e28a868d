package io.deepsite.site;

import java.util.Locale;
import java.util.regex.Pattern;

/** A full PCI address, {@code 0000:17:00.0}, lower case. */
public record PciAddress(String value) {
    public static final String PATTERN = "[0-9a-f]{4}:[0-9a-f]{2}:[0-1][0-9a-f]\\.[0-7]";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    public PciAddress {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "a PCI address is full: domain:bus:device.function, such as 0000:17:00.0");
        }
    }

    public static PciAddress parse(String text) {
        return new PciAddress(text.toLowerCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return value;
    }
}
