package io.deepsite.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What is in a folder, in memory, to bring it back. */
final class KeptFolder {
    private record Entry(Set<PosixFilePermission> mode, byte[] content) {}

    private static final byte[] IS_FOLDER = {};

    private final Path root;
    private final Map<Path, Entry> entries = new TreeMap<>();

    private KeptFolder(Path root) {
        this.root = root;
    }

    static KeptFolder of(Path root) {
        var kept = new KeptFolder(root);
        try (var paths = Files.walk(root)) {
            for (var path : paths.filter(one -> !one.equals(root)).toList()) {
                kept.entries.put(
                        path,
                        new Entry(
                                Files.getPosixFilePermissions(path),
                                Files.isDirectory(path) ? IS_FOLDER : Files.readAllBytes(path)));
            }
            return kept;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same for the same names and contents. */
    String digest() {
        var text = new StringBuilder();
        entries.forEach((path, entry) -> text.append(path)
                .append(' ')
                .append(Arrays.hashCode(entry.content()))
                .append('\n'));
        return text.toString();
    }

    void restore() {
        try {
            empty(root);
            // A folder sorts before what is in it.
            for (var entry : entries.entrySet()) {
                var path = entry.getKey();
                if (entry.getValue().content() == IS_FOLDER) {
                    Files.createDirectory(path);
                } else {
                    Files.write(path, entry.getValue().content());
                }
                Files.setPosixFilePermissions(path, entry.getValue().mode());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void empty(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (var paths = Files.walk(folder)) {
            for (var path : paths.filter(one -> !one.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
