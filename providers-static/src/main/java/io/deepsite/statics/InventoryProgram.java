package io.deepsite.statics;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads an inventory through Ansible itself, so that every format and plugin of the user's Ansible works. Runs it without
 * a shell.
 */
final class InventoryProgram {
    /** 5000 hosts take about 10 s. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Enough for thousands of hosts with their variables. */
    private static final int MOST_BYTES = 256 << 20;

    private static final int OLDEST_MINOR = 14;
    private static final Pattern VERSION = Pattern.compile("(?:\\[core )?(\\d+)\\.(\\d+)(?:\\.\\d+)?");
    private static final Executor THREADS = Thread::startVirtualThread;

    private final String program;
    private final Duration patience;
    private final boolean filesOnly;

    InventoryProgram(String program, Duration patience) {
        this(program, patience, false);
    }

    private InventoryProgram(String program, Duration patience, boolean filesOnly) {
        this.program = program;
        this.patience = patience;
        this.filesOnly = filesOnly;
    }

    /** For inventories that are text; it runs none that is a program, and asks no server. */
    static InventoryProgram ofFiles(String program, Duration patience) {
        return new InventoryProgram(program, patience, true);
    }

    /** @throws Failure if Ansible is missing or too old, or cannot read the file */
    Inventory read(Path file) {
        var where = Where.file(file.toString());
        if (!Files.exists(file)) {
            throw unreadable(where, "There is no such file.", "Name an existing file in provider.static.inventory.");
        }
        if (file.toString().contains(",")) {
            throw unreadable(
                    where, "Ansible reads a path with a comma as a list of hosts.", "Rename the file or folder.");
        }
        // Python takes half a second for each, so they run in parallel.
        var version = CompletableFuture.supplyAsync(() -> version(run(file, "--version")), THREADS);
        var list = CompletableFuture.supplyAsync(() -> run(file, "-i", file.toString(), "--list"), THREADS);
        String used = joined(version);
        var answer = joined(list);
        if (answer.status() != 0) {
            throw unreadable(where, "ansible-inventory says: " + reason(answer.error()), "");
        }
        try {
            return Inventory.parse(answer.output(), used);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.INVENTORY_UNREADABLE,
                            where,
                            "ansible-inventory did not answer with an inventory: " + e.getMessage() + ".",
                            "See its output:",
                            "ansible-inventory -i " + file + " --list"),
                    e);
        }
    }

    private record Answer(int status, String output, String error) {}

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Failure failure) {
                throw failure;
            }
            throw e;
        }
    }

    private Answer run(Path file, String... arguments) {
        var command = new ArrayList<String>();
        command.add(program);
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        // As if the user typed the command there: the folder's ansible.cfg applies.
        builder.directory(file.resolveSibling(".").toFile());
        builder.environment().put("ANSIBLE_INVENTORY_UNPARSED_FAILED", "1");
        builder.environment().put("ANSIBLE_NOCOLOR", "1");
        if (filesOnly) {
            builder.environment().put("ANSIBLE_INVENTORY_ENABLED", "ini,yaml");
        }
        builder.environment().put("ANSIBLE_DEPRECATION_WARNINGS", "0");
        try {
            var process = builder.start();
            try {
                return answer(process, file);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.ANSIBLE_MISSING,
                            "The program " + program + " cannot be started. It reads the inventory of static hosts, and"
                                    + " Ansible configures them.",
                            "Install it from the distribution:",
                            "apt-get install ansible-core"),
                    e);
        }
    }

    private Answer answer(Process process, Path file) {
        var output = CompletableFuture.supplyAsync(() -> text(process.getInputStream()), THREADS);
        var error = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()), THREADS);
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Failure(Diagnostic.error(
                        Code.INVENTORY_SLOW,
                        Where.file(file.toString()),
                        "ansible-inventory did not end within " + patience.toSeconds() + " s and was stopped.",
                        "A dynamic inventory may wait for a server that does not answer."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "Reading the inventory was stopped.", ""), e);
        }
        return new Answer(process.exitValue(), output.join(), error.join());
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String version(Answer answer) {
        String firstLine = answer.output().lines().findFirst().orElse("");
        var match = VERSION.matcher(firstLine);
        if (!match.find()) {
            throw new Failure(Diagnostic.error(
                    Code.ANSIBLE_TOO_OLD,
                    "ansible-inventory --version does not print a version.",
                    "Install ansible-core."));
        }
        int major = Integer.parseInt(match.group(1));
        int minor = Integer.parseInt(match.group(2));
        String version = major + "." + minor;
        if (major < 2 || (major == 2 && minor < OLDEST_MINOR)) {
            throw new Failure(Diagnostic.error(
                    Code.ANSIBLE_TOO_OLD,
                    "The installed version is " + version + "; deepsite needs ansible-core 2." + OLDEST_MINOR
                            + " or newer.",
                    "Install a newer one."));
        }
        return version;
    }

    private static Failure unreadable(Where where, String why, String fix) {
        return new Failure(Diagnostic.error(Code.INVENTORY_UNREADABLE, where, why, fix));
    }

    /** The first warning, which holds the parser's message; Ansible wraps it over several lines and repeats it. */
    private static String reason(String error) {
        var lines = error.lines().toList();
        String first = lines.stream()
                .skip(lines.stream()
                        .takeWhile(line -> !line.startsWith("[WARNING]"))
                        .count())
                .limit(12)
                .takeWhile(line -> !line.startsWith("ERROR"))
                .collect(Collectors.joining(" "));
        String text = first.isEmpty() ? String.join(" ", lines) : first.replaceFirst("^\\[WARNING]:\\s*\\*?\\s*", "");
        int next = text.indexOf("[WARNING]");
        String one = (next > 0 ? text.substring(0, next) : text).strip().replaceAll("\\p{Cntrl}", " ");
        return one.length() > 500 ? one.substring(0, 500) + "…" : one;
    }
}
