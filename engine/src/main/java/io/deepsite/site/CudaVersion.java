package io.deepsite.site;

import java.util.regex.Pattern;

/** A CUDA toolkit, {@code 12.4}. */
public record CudaVersion(int major, int minor) implements Comparable<CudaVersion> {
    public static final String PATTERN = "[1-9][0-9]?\\.[0-9]";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** @throws IllegalArgumentException with the accepted form */
    public static CudaVersion parse(String text) {
        if (!VALID.matcher(text).matches()) {
            throw new IllegalArgumentException("a CUDA toolkit is written with two numbers, such as 12.4");
        }
        var numbers = text.split("\\.");
        return new CudaVersion(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    /**
     * The oldest driver branch that programs built with it run on; 0 if unknown. From CUDA 11 on all of one major
     * number run on the driver of the first. Sources: docs.nvidia.com/deploy/cuda-compatibility, "Minor Version
     * Compatibility"; docs.nvidia.com/cuda/cuda-toolkit-release-notes, the table of toolkits and drivers.
     */
    public int oldestBranch() {
        return switch (major) {
            case 13 -> 580;
            case 12 -> 525;
            case 11 -> 450;
            case 10 -> minor >= 2 ? 440 : minor == 1 ? 418 : 410;
            case 9 -> minor >= 2 ? 396 : minor == 1 ? 390 : 384;
            default -> 0;
        };
    }

    @Override
    public int compareTo(CudaVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
