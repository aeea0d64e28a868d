package io.deepsite.ansible;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code ansible-playbook} of this machine.
 *
 * @param environment of this process; only PATH, HOME and TMPDIR are passed on
 */
public record AnsibleProgram(Map<String, String> environment) {

    private static final Pattern VERSION = Pattern.compile("\\[core (\\d+)\\.(\\d+)");
    private static final int OLDEST_MINOR = 14;

    /**
     * @param folder to run it in
     * @throws Failure ANSIBLE_MISSING, ANSIBLE_TOO_OLD
     */
    public void check(Path folder) {
        try {
            var process = process(List.of(program(), "--version"), folder)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            var version = VERSION.matcher(said);
            if (!version.find()) {
                throw missing(
                        "`ansible-playbook --version` says: "
                                + said.lines().findFirst().orElse("nothing") + ".",
                        null);
            }
            int major = Integer.parseInt(version.group(1));
            int minor = Integer.parseInt(version.group(2));
            if (major < 2 || (major == 2 && minor < OLDEST_MINOR)) {
                throw new Failure(Diagnostic.error(
                        Code.ANSIBLE_TOO_OLD,
                        "ansible-core " + major + "." + minor + " is installed; deepsite needs 2." + OLDEST_MINOR
                                + " or newer.",
                        "Nothing was touched. Install a newer one, then run the same command again.",
                        "apt-get install ansible-core"));
            }
        } catch (IOException e) {
            throw missing("ansible-playbook cannot be started: " + e.getMessage() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(
                    Diagnostic.error(Code.CANCELLED, "Asking Ansible for its version was interrupted.", ""), e);
        }
    }

    static Failure missing(String why, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.ANSIBLE_MISSING,
                        why + " Ansible configures the machines.",
                        "Install it, then run the same command again: it resumes from the recorded state.",
                        "apt-get install ansible-core"),
                cause);
    }

    /**
     * The play runs in a process group of its own: the terminal's ^C reaches only ours, and deepsite decides what it
     * means.
     */
    List<String> leader() {
        return find("setsid").map(file -> List.of(file.toString())).orElse(List.of());
    }

    String program() {
        return find("ansible-playbook")
                .map(Path::toString)
                .orElseThrow(() -> missing("There is no ansible-playbook on the PATH.", null));
    }

    /** Searches the PATH that is passed on, which may differ from this process's own. */
    private Optional<Path> find(String program) {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    ProcessBuilder process(List<String> argv, Path bundle) {
        var builder = new ProcessBuilder(argv).directory(bundle.toFile());
        builder.environment().clear();
        for (var name : List.of("PATH", "HOME", "TMPDIR")) {
            var value = environment.get(name);
            if (value != null) {
                builder.environment().put(name, value);
            }
        }
        builder.environment()
                .putAll(Map.of(
                        "ANSIBLE_CONFIG", bundle.resolve("ansible.cfg").toString(),
                        "ANSIBLE_NOCOLOR", "1",
                        "LC_ALL", "C.UTF-8",
                        "PYTHONDONTWRITEBYTECODE", "1"));
        return builder;
    }
}
