package io.deepsite.opennebula.oca;

import java.util.regex.Pattern;

/** Of a front-end, as {@code one.system.version} tells it. Patch levels change no call. */
public record OneVersion(int major, int minor, String text) implements Comparable<OneVersion> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(\\..*)?");

    public static final OneVersion V5_6 = new OneVersion(5, 6, "5.6");
    /** Pools of VMs are short from here on; {@code infoextended} gives what they gave before. */
    public static final OneVersion V5_8 = new OneVersion(5, 8, "5.8");
    /** Scheduled actions have calls of their own; the KVM driver takes FIRMWARE. */
    public static final OneVersion V6_2 = new OneVersion(6, 2, "6.2");
    /** PCI devices by SHORT_ADDRESS. */
    public static final OneVersion V6_6 = new OneVersion(6, 6, "6.6");
    /** Nothing is known of it yet. */
    public static final OneVersion V8_0 = new OneVersion(8, 0, "8.0");

    /** @throws IllegalArgumentException when it is no version */
    public static OneVersion parse(String text) {
        var match = TEXT.matcher(text.strip());
        if (!match.matches()) {
            throw new IllegalArgumentException("not a version: " + text);
        }
        return new OneVersion(Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2)), text.strip());
    }

    public boolean atLeast(OneVersion other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(OneVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return text;
    }
}
