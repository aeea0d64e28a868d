package io.deepsite.operations;

import io.deepsite.ansible.AnsibleProgram;
import io.deepsite.diag.Failure;
import io.deepsite.lease.Enforcement;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Tags;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.VaultKeyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Looks at everything that deepsite needs around it. Changes nothing. */
public final class Doctor {
    private final Map<String, String> environment;
    private final Path userHome;
    private final List<Finding> findings = new ArrayList<>();

    /** @param fix empty where all is well */
    public record Finding(String subject, Verdict verdict, String detail, String fix) {}

    public enum Verdict {
        GOOD,
        /** Something that only some commands need. */
        WANTING,
        BAD
    }

    public Doctor(Map<String, String> environment, Path userHome) {
        this.environment = environment;
        this.userHome = userHome;
    }

    /** @param provider opens the back-end; closed again here */
    public List<Finding> examine(Supplier<Provider> provider) {
        tried("own files", () -> "in " + DeepsiteHome.find().root());
        backEnd(provider);
        tried("Ansible", () -> {
            new AnsibleProgram(environment).check(Path.of("").toAbsolutePath());
            return "ansible-playbook is there, and new enough";
        });
        program("OpenSSH", Verdict.BAD, "apt-get install openssh-client", "ssh", "-V");
        vaultKey();
        leases();
        return List.copyOf(findings);
    }

    private void backEnd(Supplier<Provider> opener) {
        try (var provider = opener.get()) {
            if (provider.capabilities().local()) {
                hostLimits();
            }
            var said = provider.survey(new Tags.Scope.AllSites()).describe();
            add("back-end", Verdict.GOOD, String.join("; ", said), "");
            provider.images().ifPresent(this::images);
        } catch (Failure e) {
            failed("back-end", e);
        }
    }

    private void hostLimits() {
        var misses = new HostLimits(Path.of("/")).misses();
        add(
                "host limits",
                misses.isEmpty() ? Verdict.GOOD : Verdict.WANTING,
                misses.isEmpty()
                        ? "enough for about a hundred machines"
                        : "too low for many machines: "
                                + misses.stream().map(HostLimits.Miss::toString).collect(Collectors.joining(", ")),
                misses.isEmpty() ? "" : HostLimits.fix(misses));
    }

    private void images(ImageStore store) {
        var names =
                store.images().stream().flatMap(image -> image.names().stream()).collect(Collectors.joining(", "));
        if (names.isEmpty()) {
            add("images", Verdict.WANTING, "none is stored", "deepsite image build debian/12");
        } else {
            add("images", Verdict.GOOD, names, "");
        }
    }

    private void vaultKey() {
        var file = VaultKeyFile.locate(environment, userHome).path();
        add(
                "vault key",
                Verdict.GOOD,
                Files.exists(file) ? "in " + file : "none yet; it is made with the first secret, in " + file,
                "");
    }

    private void leases() {
        var by = Enforcement.onThisHost(Path.of("/"));
        boolean nobody = by.isNobody();
        add(
                "leases",
                nobody ? Verdict.WANTING : Verdict.GOOD,
                nobody
                        ? "nothing on this host ends sites whose lease is over; " + by.text()
                        : "enforced by " + by.text(),
                nobody ? "apply installs a timer on the host of the back-end, where systemd or cron runs" : "");
    }

    private void program(String subject, Verdict without, String fix, String... command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            add(subject, Verdict.GOOD, said.lines().findFirst().orElse(command[0]), "");
        } catch (IOException _) {
            add(subject, without, "there is no " + command[0] + " on the PATH", fix);
        }
    }

    private void tried(String subject, Supplier<String> check) {
        try {
            add(subject, Verdict.GOOD, check.get(), "");
        } catch (Failure e) {
            failed(subject, e);
        }
    }

    private void failed(String subject, Failure failure) {
        var first = failure.diagnostics().getFirst();
        add(
                subject,
                Verdict.BAD,
                first.code().id() + " " + first.code().summary() + ": " + first.why(),
                first.commands().isEmpty() ? first.fix() : String.join(" && ", first.commands()));
    }

    private void add(String subject, Verdict verdict, String detail, String fix) {
        findings.add(new Finding(subject, verdict, detail, fix));
    }
}
