package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The folder of deepsite's own files: {@code ansible-roles/}, {@code ansible-plugins/}, {@code templates/}. */
public record DeepsiteHome(Path root) {
    public static final String PROPERTY = "deepsite.home";

    public DeepsiteHome {
        root = root.toAbsolutePath().normalize();
    }

    /**
     * The system property {@value #PROPERTY}, else the nearest such folder at or above the working directory (a
     * checkout).
     */
    public static DeepsiteHome find() {
        var property = System.getProperty(PROPERTY);
        if (property != null) {
            return at(Path.of(property));
        }
        var start = Path.of("").toAbsolutePath();
        for (var folder = start; folder != null; folder = folder.getParent()) {
            var home = new DeepsiteHome(folder);
            if (home.isThere()) {
                return home;
            }
        }
        throw missing("Neither " + start + " nor a folder above it has ansible-roles and templates.");
    }

    /** @throws Failure HOME_MISSING if these folders are not in it */
    public static DeepsiteHome at(Path root) {
        var home = new DeepsiteHome(root);
        if (home.isThere()) {
            return home;
        }
        throw missing("The folder " + home.root() + " has no ansible-roles.");
    }

    public Path roles() {
        return root.resolve("ansible-roles");
    }

    /** The tasks files of these roles, as {@code <role>/<file>}; a role that does not exist here has none. */
    public SortedSet<String> tasks(Set<String> of) {
        var tasks = new TreeSet<String>();
        for (var role : of) {
            var folder = roles().resolve(role).resolve("tasks");
            if (Files.isDirectory(folder)) {
                try (var files = Files.list(folder)) {
                    files.forEach(file -> tasks.add(role + "/" + file.getFileName()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return tasks;
    }

    /** A digest over names and contents of all files below a folder; empty if one is unreadable. */
    public Optional<String> digest(Path folder) {
        try (var files = Files.walk(folder)) {
            var sha = MessageDigest.getInstance("SHA-256");
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                var bytes = Files.readAllBytes(file);
                sha.update((folder.relativize(file) + "\0" + bytes.length + "\0").getBytes(StandardCharsets.UTF_8));
                sha.update(bytes);
            }
            return Optional.of(HexFormat.of().formatHex(sha.digest()));
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Identifies this build of the program; only a packaged one has it. */
    public Optional<String> build() {
        try {
            return Optional.of(Files.readString(root.resolve("lib/build")).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public Path plugins() {
        return root.resolve("ansible-plugins");
    }

    public Path templates() {
        return root.resolve("templates");
    }

    private boolean isThere() {
        return Files.isDirectory(roles()) && Files.isDirectory(templates());
    }

    private static Failure missing(String why) {
        return new Failure(Diagnostic.error(
                Code.HOME_MISSING,
                why,
                "Start deepsite by its launcher, or name the folder that holds ansible-roles with -D" + PROPERTY
                        + "."));
    }
}
