package io.deepsite.cluster.opennebula;

import java.util.List;
import java.util.regex.Pattern;

/** A release of OpenNebula, named as its repositories: {@code 6.10}. */
public record OpenNebulaRelease(int major, int minor) implements Comparable<OpenNebulaRelease> {
    /** Releases that deepsite configures: the first is the oldest that selects a device by its address. */
    public static final List<OpenNebulaRelease> KNOWN = List.of(
            new OpenNebulaRelease(6, 6),
            new OpenNebulaRelease(6, 8),
            new OpenNebulaRelease(6, 10),
            new OpenNebulaRelease(7, 0),
            new OpenNebulaRelease(7, 2));

    public static final String PATTERN = "[1-9]\\.(0|[1-9][0-9]?)";

    private static final Pattern VALID = Pattern.compile(PATTERN);
    private static final OpenNebulaRelease FIRST_WITH_FILTERS_PER_HOST = new OpenNebulaRelease(7, 0);

    /** @throws IllegalArgumentException with the accepted form */
    public static OpenNebulaRelease parse(String text) {
        if (!VALID.matcher(text).matches()) {
            throw new IllegalArgumentException("a release is written with two numbers, such as 6.10");
        }
        var numbers = text.split("\\.");
        return new OpenNebulaRelease(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    /** Earlier releases have one filter for all hosts, which applies wherever a listed device is found. */
    public boolean filtersPerHost() {
        return compareTo(FIRST_WITH_FILTERS_PER_HOST) >= 0;
    }

    @Override
    public int compareTo(OpenNebulaRelease other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
