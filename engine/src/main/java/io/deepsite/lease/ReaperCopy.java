package io.deepsite.lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * A copy of the program for the reaper: the folder that applied a site may disappear long before the site does, because
 * a checkout is moved or a build is cleaned.
 *
 * @param root of the file system, {@code /}
 */
public record ReaperCopy(Path root) {
    /** The parts of a packaged deepsite that the reaper needs. */
    private static final List<String> PARTS = List.of("bin", "lib", "runtime", "ansible-roles", "templates");

    /**
     * Creates the copy if it does not exist, and removes copies that are no longer referenced.
     *
     * @param home of the packaged program
     * @param build identifies it
     * @return the home of the copy
     * @throws UncheckedIOException without root's permissions
     */
    public Path of(Path home, String build) {
        try {
            var copy = folder().resolve(name(build));
            if (!Files.exists(copy)) {
                // All or nothing: two applies may copy at once.
                var half = Files.createDirectories(folder()).resolve(".half-" + UUID.randomUUID());
                for (var part : PARTS) {
                    if (Files.exists(home.resolve(part))) {
                        copy(home.resolve(part), half.resolve(part));
                    }
                }
                try {
                    Files.move(half, copy, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException e) {
                    delete(half);
                    if (!Files.exists(copy)) {
                        throw e;
                    }
                }
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes copies that none of these texts mentions. */
    public void keepOnly(List<String> texts) {
        try (var copies = Files.list(folder())) {
            for (var copy : copies.toList()) {
                var name = String.valueOf(copy.getFileName());
                if (!name.startsWith(".") && texts.stream().noneMatch(text -> text.contains(name))) {
                    delete(copy);
                }
            }
        } catch (NoSuchFileException _) {
            // There are no copies.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path folder() {
        return root.resolve("var/lib/deepsite/reaper");
    }

    private static String name(String build) {
        return UUID.nameUUIDFromBytes(build.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var paths = Files.walk(from)) {
            for (var path : paths.toList()) {
                var target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.resolveSibling(""));
                    Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var paths = Files.walk(folder)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
