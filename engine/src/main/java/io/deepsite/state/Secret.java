package io.deepsite.state;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * A secret text. Not a record and without a getter on purpose: neither string concatenation nor a JSON writer can reveal
 * it; only {@link #reveal()} does.
 */
public final class Secret {
    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    public static Secret of(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a secret is never empty");
        }
        return new Secret(value);
    }

    /** The plain text; the caller must pass it only to the host or the file it is for. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    /** The same for all secrets: a hash of the value would leak information about it. */
    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return "***";
    }
}
