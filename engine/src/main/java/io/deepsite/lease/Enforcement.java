package io.deepsite.lease;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Who runs the reaper when nobody looks: a systemd timer, else a line for cron, on the host of the back-end.
 *
 * @param root of the file system, {@code /}
 * @param unit name of the timer: one reaper sees one project of a back-end, and none may take another's place
 */
public record Enforcement(Path root, String unit) {
    private static final String UNIT = "deepsite-reap";

    public Enforcement(Path root) {
        this(root, UNIT);
    }

    /** Of the sites in one project of the back-end. */
    public static Enforcement ofProject(Path root, String project) {
        return new Enforcement(root, UNIT + "-" + project);
    }

    /** What enforces leases on this host. */
    public enum By {
        SYSTEMD("a systemd timer, deepsite-reap.timer, every minute"),
        CRON("cron, /etc/cron.d/deepsite-reap, every minute"),
        BACKEND("the host of the back-end, where `deepsite lease reap` must run once a minute"),
        NOBODY("nobody: neither systemd nor cron runs here; run `deepsite lease reap` once a minute by other means");

        private final String text;

        By(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** What is in force now. */
    public By current() {
        if (systemd() && Files.exists(timer()) && enabled()) {
            return By.SYSTEMD;
        }
        return cron() && Files.exists(crontab()) ? By.CRON : By.NOBODY;
    }

    /**
     * Installs what this host can run; does nothing where it is there already.
     *
     * @param command argv of the reaper, absolute paths
     * @return a command to run so that it takes effect; empty when it does already
     */
    public Optional<List<String>> install(List<String> command) {
        if (systemd()) {
            boolean service = write(root.resolve("etc/systemd/system/" + unit + ".service"), service(command));
            boolean timer = write(timer(), TIMER);
            return service || timer || !enabled()
                    ? Optional.of(List.of("systemctl", "--quiet", "enable", "--now", unit + ".timer"))
                    : Optional.empty();
        }
        if (cron()) {
            write(
                    crontab(),
                    "# Made by deepsite: ends sites whose lease is over.\n* * * * * root "
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

    private static String service(List<String> command) {
        return """
                # Made by deepsite: ends sites whose lease is over.
                [Unit]
                Description=End deepsite sites whose lease is over

                [Service]
                Type=oneshot
                ExecStart=%s
                """.formatted(command.stream().map(Enforcement::systemdWord).collect(Collectors.joining(" ")));
    }

    private boolean systemd() {
        return Files.isDirectory(root.resolve("run/systemd/system"));
    }

    private boolean cron() {
        return Files.exists(root.resolve("run/crond.pid")) && Files.isDirectory(root.resolve("etc/cron.d"));
    }

    /** What enabling the timer makes. */
    private boolean enabled() {
        return Files.exists(
                root.resolve("etc/systemd/system/timers.target.wants/" + unit + ".timer"), LinkOption.NOFOLLOW_LINKS);
    }

    private Path timer() {
        return root.resolve("etc/systemd/system/" + unit + ".timer");
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
        // In a crontab a % ends the command, also between quotes.
        return "'" + word.replace("'", "'\\''").replace("%", "\\%") + "'";
    }

    private static String systemdWord(String word) {
        return "\""
                + word.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("%", "%%")
                        .replace("$", "$$") + "\"";
    }
}
