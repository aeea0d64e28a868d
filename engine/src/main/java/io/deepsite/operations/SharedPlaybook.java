package io.deepsite.operations;

import io.deepsite.ansible.AnsibleProgram;
import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.BundleArchive;
import io.deepsite.ansible.ControlNodes;
import io.deepsite.ansible.Playbook;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs a playbook of another process, which holds the lock of the site and shares its records. Nothing is recorded here:
 * that process does so, by what it is told.
 */
public final class SharedPlaybook {
    private final SiteContext context;

    public SharedPlaybook(SiteContext context) {
        this.context = context;
    }

    /**
     * What another process has to know.
     *
     * @param run id of the run
     * @param name of the playbook within it
     * @param hosts how many it configures
     * @param grace for how long Ansible goes on without the process that runs it
     */
    public record Task(String run, String name, int hosts, Duration grace, BundleArchive bundle) {

        public static Task of(Playbook playbook) {
            return new Task(
                    playbook.folder().getFileName().toString(),
                    playbook.name(),
                    playbook.hosts(),
                    playbook.grace().orElseThrow(),
                    BundleArchive.of(playbook.bundle()));
        }
    }

    /**
     * How it ended.
     *
     * @param log Ansible's output
     * @param connections of SSH, a line with the address of the host for each
     */
    public record Ended(int exit, String log, String connections) {

        /** As if Ansible had run there. */
        public int keepIn(Playbook playbook) {
            try {
                AtomicFile.write(playbook.log(), log);
                Files.writeString(playbook.bundle().resolve(Bundle.CONNECTIONS), connections);
                return exit;
            } catch (IOException e) {
                throw AtomicFile.notWritten(playbook.log(), e);
            }
        }
    }

    /**
     * Returns when Ansible has ended; then nothing of it is left here.
     *
     * @param began gets the bundle's folder, see {@link Playbook#beginNothingMore}
     * @throws io.deepsite.diag.Failure ANSIBLE_MISSING, ANSIBLE_TOO_OLD, STATE_NOT_WRITTEN, LOGIN_KEY_UNUSABLE, VAULT_KEY_WRONG, CANCELLED
     */
    public Ended run(Task task, Consumer<Path> began, Consumer<String> lines, ControlNodes.Stop stop) {
        var environment = context.runtime().environment();
        new AnsibleProgram(environment).check(context.folder().make().path());
        // The bundle names it as a file beside the runs.
        context.loginKey().file();
        var folder = new StateFolder(context.folder().runsFolder().resolve(task.run() + "-" + task.name()));
        try {
            var bundle = folder.make().path().resolve("bundle");
            task.bundle().unpack(bundle, context.vaultKey().path());
            began.accept(bundle);
            var playbook = new Playbook(
                    task.name(), bundle, folder.path(), task.hosts(), environment, Optional.of(task.grace()));
            int exit = playbook.run(lines, stop);
            return new Ended(exit, text(playbook.log()), text(bundle.resolve(Bundle.CONNECTIONS)));
        } finally {
            folder.delete();
        }
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            return "(" + file + " cannot be read: " + e.getMessage() + ")";
        }
    }
}
