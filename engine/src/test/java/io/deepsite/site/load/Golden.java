package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** Compares with a file of the repository; {@code -Dgolden.update} writes it instead. */
public final class Golden {
    private Golden() {}

    public static void assertSame(Path file, String actual) {
        try {
            if (System.getProperty("golden.update") != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, actual);
                return;
            }
            assertThat(actual)
                    .as(file + " (mvn test -Dgolden.update rewrites it)")
                    .isEqualTo(Files.exists(file) ? Files.readString(file) : "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folders of cases, {@code AREA/DSnnnn-what}, in the order of their codes. */
    public static List<Path> cases(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(Path::getParent)
                    .distinct()
                    .sorted(Comparator.comparing(Path::getFileName).thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    /** The code of a case {@code AREA/DSnnnn-what}. */
    public static String code(String name) {
        return Path.of(name).getFileName().toString().substring(0, 6);
    }
}
