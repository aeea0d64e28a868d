package io.deepsite.openstack;

/** A version of one service's API, {@code 2.52}. */
record Microversion(int major, int minor) implements Comparable<Microversion> {
    static Microversion parse(String text) {
        int dot = text.indexOf('.');
        return new Microversion(Integer.parseInt(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
    }

    @Override
    public int compareTo(Microversion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
