package io.deepsite.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The release, as the build wrote it into {@code version.txt}. */
public final class Version {

    public static final String CURRENT = read();

    static final String JAVA = System.getProperty("java.version");

    private Version() {}

    /** For people. */
    static String words() {
        return "deepsite " + CURRENT + " (Java " + JAVA + ")";
    }

    private static String read() {
        try (var text = Objects.requireNonNull(Version.class.getResourceAsStream("version.txt"), "version.txt")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
