package io.deepsite.site;

import java.util.regex.Pattern;

/** Where something is fetched from, {@code http://mirror.example/debian}; never with a user or a password. */
public record WebAddress(String value) {
    public static final String PATTERN = "https?://[A-Za-z0-9\\[][A-Za-z0-9.:\\[\\]-]*(/[A-Za-z0-9._~/+-]*)?";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    public WebAddress {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    value.contains("@")
                            ? "an address here holds no user and no password: every host and every log would show them"
                            : "an address is written like http://mirror.example/debian");
        }
    }

    /** @throws IllegalArgumentException with the accepted form */
    public static WebAddress parse(String text) {
        return new WebAddress(text);
    }

    @Override
    public String toString() {
        return value;
    }
}
