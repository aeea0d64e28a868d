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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The folder with the files that deepsite ships: {@code ansible-roles/}, {@code ansible-plugins/}, {@code templates/}; and below
 * {@code lib/extensions/} with what others add to it, each a folder with jars, {@code roles/} and {@code templates/}.
 *
 * @param extensions their folders, by name
 */
public record DeepsiteHome(Path root, List<Path> extensions) {
    public static final String PROPERTY = "deepsite.home";

    public DeepsiteHome {
        root = root.toAbsolutePath().normalize();
        extensions = List.copyOf(extensions);
    }

    public DeepsiteHome(Path root) {
        this(root, children(root.toAbsolutePath().normalize().resolve("lib/extensions")));
    }

    /** Files and folders in a folder, by name; none where there is no such folder. */
    public static List<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /** The folder of a role, which may be missing: deepsite's own, else an extension's. */
    public Path role(String name) {
        return below(roles(), "roles", name);
    }

    /**
     * The file of a template, which may be missing: deepsite's own, else an extension's.
     *
     * @return empty when the name leads out of the folder
     */
    public Optional<Path> template(String name) {
        return Optional.of(name)
                .filter(path -> isBelow(templates(), path))
                .map(path -> below(templates(), "templates", path));
    }

    /** Whether an extension brings this file along, and not deepsite itself. */
    public boolean isOfExtension(Path file) {
        return extensions.stream().anyMatch(file::startsWith);
    }

    private Path below(Path own, String part, String name) {
        var file = own.resolve(name).normalize();
        return Files.exists(file)
                ? file
                : extensions.stream()
                        .map(extension -> extension.resolve(part).resolve(name).normalize())
                        .filter(Files::exists)
                        .findFirst()
                        .orElse(file);
    }

    private static boolean isBelow(Path folder, String name) {
        return folder.resolve(name).normalize().startsWith(folder);
    }

    /** Every tasks file that these roles have here, as {@code <role>/<file>}; a role that is not here has none. */
    public SortedSet<String> tasks(Set<String> of) {
        var tasks = new TreeSet<String>();
        for (var role : of) {
            var folder = role(role).resolve("tasks");
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

    /** Identifies this build of the program with its extensions; only a packaged one has it. */
    public Optional<String> build() {
        try {
            var build = new StringBuilder(
                    Files.readString(root.resolve("lib/build")).strip());
            for (var extension : extensions) {
                var digest = digest(extension);
                if (digest.isEmpty()) {
                    return Optional.empty();
                }
                build.append(' ').append(digest.get());
            }
            return Optional.of(build.toString());
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
