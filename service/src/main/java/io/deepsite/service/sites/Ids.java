package io.deepsite.service.sites;

import java.security.SecureRandom;
import java.util.stream.Collectors;

/** Random names. */
final class Ids {
    private static final SecureRandom RANDOM = new SecureRandom();
    /** Without letters and digits that look alike. */
    private static final String LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

    private static final int ID = 26;
    private static final int SUFFIX = 8;
    private static final int STEM = 16;

    private Ids() {}

    /** Of 128 bits: knowing some of them gives none away. */
    static String random() {
        return letters(ID);
    }

    /** @param stem begins with a letter */
    static String siteName(String stem) {
        var cut = stem.length() > STEM ? stem.substring(0, STEM) : stem;
        return cut.replaceAll("-+$", "") + "-" + letters(SUFFIX);
    }

    private static String letters(int count) {
        return RANDOM.ints(count, 0, LETTERS.length())
                .mapToObj(LETTERS::charAt)
                .map(String::valueOf)
                .collect(Collectors.joining());
    }
}
