package io.deepsite.provider;

/** Where the search of a site for something free begins, so that two who search at the same time seldom meet. */
public final class Scatter {
    /** 2^64 divided by the golden ratio: Fibonacci hashing. */
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private Scatter() {}

    /** A number below the given one that each seed has for itself, as far as there are enough. */
    public static long below(long limit, String seed) {
        // Multiplied, because names that differ in their last letter have hash codes side by side.
        return ((seed.hashCode() * FACTOR) >>> 32) % limit;
    }
}
