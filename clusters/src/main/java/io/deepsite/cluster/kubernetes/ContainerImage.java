package io.deepsite.cluster.kubernetes;

import java.util.regex.Pattern;

/** A container image in kubelet's form, {@code registry/path:tag}. */
public record ContainerImage(String value) {
    public static final String PATTERN = "[a-z0-9][A-Za-z0-9./:@_-]*";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** @throws IllegalArgumentException with the accepted form */
    public static ContainerImage parse(String text) {
        if (!VALID.matcher(text).matches()) {
            throw new IllegalArgumentException("an image is written as registry.example.org/path:tag");
        }
        return new ContainerImage(text);
    }

    @Override
    public String toString() {
        return value;
    }
}
