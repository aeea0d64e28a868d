package io.deepsite.lease;

import io.deepsite.remote.ShellWord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs the reaper periodically on the host of the back-end: by a systemd timer, else by cron.
 *
 * @param root of the file system, {@code /}
 * @param unit name of the timer; each reaper covers one project of a back-end, so each project needs its own timer
 * @param variables of the reaper's environment; no secrets
 */
public record Enforcement(Path root, String unit, SortedMap<String, String> variables) {
    private static final String UNIT = "deepsite-reap";

    /** As {@link #install} writes it: an absolute path, quoted. */
    private static final Pattern IN_SERVICE = Pattern.compile("(?m)^ExecStart=\"(/(?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern IN_CRONTAB = Pattern.compile("(?m) root '(/[^']*)'");

    public Enforcement {
        variables = new TreeMap<>(variables);
    }

    public Enforcement(Path root) {
        this(root, UNIT, new TreeMap<>());
    }

    /**
     * For the sites of a back-end on this host. LXD's units have no provider in their names: they are older than any other
     * back-end that runs on its user's host.
     *
     * @param project of the back-end; empty for the usual one
     */
    public static Enforcement ofThisHost(Path root, String provider, Optional<String> project) {
        if (provider.equals("lxd")) {
            return project.map(name -> new Enforcement(root, UNIT + "-" + fileName(name), new TreeMap<>()))
                    .orElseGet(() -> new Enforcement(root));
        }
        // No project's name has a slash.
        return ofOther(root, provider + "/" + project.orElse(""), new TreeMap<>());
    }

    /**
     * For the sites of a back-end that is another machine.
     *
     * @param name of the back-end, as no other has it
     */
    public static Enforcement ofOther(Path root, String name, SortedMap<String, String> variables) {
        return new Enforcement(root, UNIT + "-" + fileName(name), variables);
    }

    /** Cron silently ignores a file with a dot in its name; the names of two projects never collide. */
    private static String fileName(String project) {
        var name = new StringBuilder();
        project.codePoints().forEach(sign -> {
            if (sign < 128 && (Character.isLetterOrDigit(sign) || sign == '-')) {
                name.appendCodePoint(sign);
            } else {
                name.append('_').append(Integer.toHexString(sign));
            }
        });
        return name.toString();
    }

    /** What enforces leases on this host. */
    public enum By {
        SYSTEMD("a systemd timer, deepsite-reap.timer, every minute"),
        CRON("cron, /etc/cron.d/deepsite-reap, every minute"),
        CLOUD(
                "the back-end, which terminates the machines; `deepsite lease reap` or `deepsite destroy` deletes the rest"),
        BACKEND("whoever runs `deepsite lease reap` once a minute, as site.yaml says"),
        NO_LOGIN(
                "none: the login of the back-end is in the environment of this process, which a timer does not have; write it into a file"),
        GONE("none: the program that the timer or cron runs is missing; the next apply reinstalls it"),
        NOBODY("none: neither systemd nor cron runs here; run `deepsite lease reap` once a minute by other means");

        private final String text;

        public boolean isNobody() {
            return this == NOBODY || this == GONE || this == NO_LOGIN;
        }

        By(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** What currently enforces leases. */
    public By current() {
        if (systemd() && Files.exists(timer()) && enabled()) {
            return canRun(service(), IN_SERVICE) ? By.SYSTEMD : By.GONE;
        }
        if (cron() && Files.exists(crontab())) {
            return canRun(crontab(), IN_CRONTAB) ? By.CRON : By.GONE;
        }
        return By.NOBODY;
    }

    /** Whether the program that the file names exists. */
    private boolean canRun(Path file, Pattern program) {
        try {
            var found = program.matcher(Files.readString(file));
            return found.find()
                    && Files.isExecutable(root.resolve(unescaped(found.group(1)).substring(1)));
        } catch (IOException e) {
            return false;
        }
    }

    private static String unescaped(String word) {
        return word.replace("\\%", "%").replace("%%", "%").replace("$$", "$").replaceAll("\\\\(.)", "$1");
    }

    /** What currently enforces leases of some of the back-ends on this host; that of each has a unit of its own. */
    public static By onThisHost(Path root) {
        var plain = new Enforcement(root);
        return plain.files().stream()
                .map(file -> file.getFileName().toString().replaceFirst("\\.(service|timer)$", ""))
                .distinct()
                .map(unit -> new Enforcement(root, unit, new TreeMap<>()).current())
                .filter(by -> !by.isNobody())
                .findFirst()
                .orElseGet(plain::current);
    }

    /** The installed timers and cron lines of all projects on this host, as texts that name a program. */
    public List<String> installed() {
        var texts = new ArrayList<String>();
        try {
            for (var file : files()) {
                texts.add(Files.readString(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    private List<Path> files() {
        var all = new ArrayList<Path>();
        for (var folder : List.of(root.resolve("etc/systemd/system"), root.resolve("etc/cron.d"))) {
            if (Files.isDirectory(folder)) {
                try (var files = Files.newDirectoryStream(folder, UNIT + "*")) {
                    for (var file : files) {
                        if (Files.isRegularFile(file)) {
                            all.add(file);
                        }
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return all;
    }

    /**
     * Installs what this host can run; does nothing if it is already installed.
     *
     * @param command argv of the reaper, absolute paths
     * @return a command that activates it; empty if it is already active
     */
    public Optional<List<String>> install(List<String> command) {
        if (systemd()) {
            boolean service = write(service(), service(command));
            boolean timer = write(timer(), TIMER);
            return service || timer || !enabled()
                    ? Optional.of(List.of("systemctl", "--quiet", "enable", "--now", unit + ".timer"))
                    : Optional.empty();
        }
        if (cron()) {
            write(
                    crontab(),
                    "# Made by deepsite: ends sites whose lease is over.\n"
                            + variables.entrySet().stream()
                                    .map(variable -> variable.getKey() + "=\"" + variable.getValue() + "\"\n")
                                    .collect(Collectors.joining())
                            + "* * * * * root "
                            + command.stream().map(Enforcement::shellWord).collect(Collectors.joining(" "))
                            + " >/dev/null 2>&1\n");
        }
        return Optional.empty();
    }

    private static final String TIMER = """
        # Made by deepsite: ends sites whose lease is over.
        [Unit]
        Description=End deepsite sites whose lease is over

        [Timer]
        OnBootSec=1min
        OnUnitInactiveSec=1min
        AccuracySec=5s

        [Install]
        WantedBy=timers.target
        """;

    private String service(List<String> command) {
        var environment = variables.entrySet().stream()
                .map(variable -> "Environment=" + systemdWord(variable.getKey() + "=" + variable.getValue()) + "\n")
                .collect(Collectors.joining());
        return """
            # Made by deepsite: ends sites whose lease is over.
            [Unit]
            Description=End deepsite sites whose lease is over

            [Service]
            Type=oneshot
            %sExecStart=%s
            """.formatted(
                environment, command.stream().map(Enforcement::systemdWord).collect(Collectors.joining(" ")));
    }

    private boolean systemd() {
        return Files.isDirectory(root.resolve("run/systemd/system"));
    }

    private boolean cron() {
        return Files.isDirectory(root.resolve("etc/cron.d")) && cronLives();
    }

    /** The process id file of a killed cron does not count. */
    private boolean cronLives() {
        try {
            var id = Files.readString(root.resolve("run/crond.pid")).strip();
            return id.matches("\\d+")
                    && Files.readString(root.resolve("proc/" + id + "/comm")).contains("cron");
        } catch (IOException e) {
            return false;
        }
    }

    /** The link that enabling the timer creates. */
    private boolean enabled() {
        return Files.exists(
                root.resolve("etc/systemd/system/timers.target.wants/" + unit + ".timer"), LinkOption.NOFOLLOW_LINKS);
    }

    private Path timer() {
        return root.resolve("etc/systemd/system/" + unit + ".timer");
    }

    private Path service() {
        return root.resolve("etc/systemd/system/" + unit + ".service");
    }

    private Path crontab() {
        return root.resolve("etc/cron.d/" + unit);
    }

    private static boolean write(Path file, String text) {
        try {
            if (Files.exists(file) && Files.readString(file).equals(text)) {
                return false;
            }
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String shellWord(String word) {
        // In a crontab a % ends the command, even inside quotes.
        return ShellWord.quote(word).replace("%", "\\%");
    }

    private static String systemdWord(String word) {
        return "\""
                + word.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("%", "%%")
                        .replace("$", "$$") + "\"";
    }
}
