package io.deepsite.cluster.kubernetes;

import java.util.regex.Pattern;

/** A release of Kubernetes, {@code 1.31.4}; the major number is 1. */
public record KubernetesVersion(int minor, int patch) implements Comparable<KubernetesVersion> {
    /** The oldest whose kubeadm deepsite configures. */
    public static final int OLDEST_MINOR = 20;
    /** The newest whose kubeadm API this deepsite knows; a later one may have dropped v1beta4. */
    public static final int NEWEST_MINOR = 36;

    /** The oldest in the public package repository. */
    public static final int OLDEST_PACKAGED_MINOR = 24;

    public static final String PATTERN = "1\\.(0|[1-9][0-9]?)\\.(0|[1-9][0-9]?)";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** @throws IllegalArgumentException with the accepted form */
    public static KubernetesVersion parse(String text) {
        var match = VALID.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("a version is written with all three numbers, such as 1.31.4");
        }
        return new KubernetesVersion(Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2)));
    }

    public boolean isAtLeast(int otherMinor) {
        return minor >= otherMinor;
    }

    @Override
    public int compareTo(KubernetesVersion other) {
        return minor != other.minor ? Integer.compare(minor, other.minor) : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return "1." + minor + "." + patch;
    }
}
