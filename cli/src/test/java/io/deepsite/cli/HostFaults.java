package io.deepsite.cli;

import io.deepsite.remote.FakeSshServer;
import io.deepsite.state.OpenSshKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.List;

/** A machine does not answer, has another host key, or refuses the login; Ansible is missing, or fails. */
final class HostFaults {
    /** A user name that the test machine does not have. */
    static final String USER = """
            users:
              deepsite-fault: {uid: 2999, keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINpLe3FlKPn3sbHzgV0ZmpvF9LZmxzlFYS4MMe1x5rV3 a"]}
            """;

    static final String SLURM = """
            machines:
              head: {image: debian/12, cpus: 1, memory: 2GiB}
              node: {image: debian/12, cpus: 1, memory: 2GiB}
            clusters:
              hpc: {kind: slurm, controller: head, compute: [node], accounting: false, home: {shared: false}}
            """;

    private HostFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                new FaultCase("hosts/DS3001-silent", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("the machine's SSH server ends", () -> story.lxd.silence("lab-box"));
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("it runs again", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("hosts/DS3001-one-of-two-silent", story -> {
                    var machines = "machines:\n  box: {image: debian/12, cpus: 1, memory: 1GiB}\n"
                            + "  other: {image: debian/12, cpus: 1, memory: 1GiB}\n";
                    story.siteOf(machines)
                            .does("apply", "site.yaml", "--yes", "--quiet")
                            .then("the SSH server of one ends, and a user is to come", () -> {
                                story.lxd.silence("lab-box");
                                story.siteOf(machines + USER);
                            });
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .fails1("plan", "site.yaml", "--detailed-exitcode", "--quiet")
                            .fails1("drift", "site.yaml")
                            .then("it runs again", () -> story.lxd.speak("lab-box", null, null))
                            .goesOnToConfigure();
                }),
                new FaultCase("hosts/DS3001-silent-while-verified", story -> {
                    story.siteOf(SLURM);
                    story.lxd.behaving((command, in, out, err) -> accept("passed", command, in, out, err));
                    story.does("apply", "site.yaml", "--yes", "--quiet")
                            .then("the SSH server of the node ends", () -> story.lxd.silence("lab-node"));
                    story.fails(1, "verify", "site.yaml");
                }),
                new FaultCase("hosts/DS3002-another-host-key", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then(
                                    "another machine answers at its address",
                                    () -> story.lxd.speak(
                                            "lab-box", OpenSshKey.generate("x", new SecureRandom()), null));
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("its own SSH server answers again", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("hosts/DS3003-login-refused", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then(
                                    "a user removes deepsite's key from its authorized_keys",
                                    () -> story.lxd.speak(
                                            "lab-box",
                                            null,
                                            OpenSshKey.generate("x", new SecureRandom())
                                                    .publicLine()));
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("the key is restored", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("hosts/DS3004-connection-breaks", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("its connections break", () -> story.lxd.behaving((_, _, _, _) -> -1));
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("they work again", () -> story.lxd.behaving(FakeSshServer::shell))
                            .goesOn();
                }),
                new FaultCase("hosts/DS3005-no-root-rights", story -> {
                    story.does("apply", "site.yaml", "--yes").then("site.yaml names a user without sudo rights", () -> {
                        story.edit("site.yaml", "ssh: {", "ssh: {user: admin, ");
                        story.lxd.behaving((_, _, _, err) -> {
                            err.write("sudo: a password is required\n".getBytes(StandardCharsets.UTF_8));
                            return 1;
                        });
                    });
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then(
                                    "the user may become root",
                                    () -> story.lxd.behaving(
                                            (_, in, out, err) -> FakeSshServer.shell("/bin/sh -s", in, out, err)))
                            .does("apply", "site.yaml", "--yes");
                }),
                new FaultCase("hosts/DS3006-answer-torn", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then(
                                    "the probe dies in the middle",
                                    () -> story.lxd.behaving((_, _, out, _) -> {
                                        out.write("half an ans".getBytes(StandardCharsets.UTF_8));
                                        return 137;
                                    }));
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("it works again", () -> story.lxd.behaving(FakeSshServer::shell))
                            .goesOn();
                }),
                new FaultCase("hosts/DS3008-login-key-damaged", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    var key = story.read(".deepsite/lab/login_key");
                    story.then(
                                    "the login key is overwritten",
                                    () -> story.write(".deepsite/lab/login_key", "nothing of use\n"))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("it is restored from a backup", () -> story.write(".deepsite/lab/login_key", key))
                            .goesOn();
                }),
                new FaultCase("hosts/DS2206-vault-lost", story -> {
                    story.does("apply", "site.yaml", "--yes").then("the vault is lost", () -> {
                        story.delete(".deepsite/lab/vault.yml");
                        Files.deleteIfExists(story.state.resolve("vault.yml.backup"));
                    });
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .does("adopt", "site.yaml")
                            .then("the machine takes its new key", () -> story.lxd.speak("lab-box", null, null))
                            .goesOn();
                }),
                new FaultCase("ansible/DS3101-ansible-missing", story -> {
                    story.site(USER).withoutAnsible();
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then("Ansible is installed", () -> story.ansible("2.14.3", ""))
                            .goesOnToConfigure();
                }),
                new FaultCase("ansible/DS3102-ansible-too-old", story -> {
                    story.site(USER).ansible("2.9.27", "");
                    story.fails(2, "apply", "site.yaml", "--yes")
                            .then("a newer one is installed", () -> story.ansible("2.14.3", ""))
                            .goesOnToConfigure();
                }),
                new FaultCase("ansible/DS3110-role-fails", story -> {
                    story.site(USER).ansible("2.14.3", "No package matching 'nosuch' is available");
                    story.fails(1, "apply", "site.yaml", "--yes")
                            .then("the package is there", () -> story.ansible("2.14.3", ""))
                            .goesOnToConfigure();
                }),
                new FaultCase("ansible/DS3111-ansible-of-a-killed-run", HostFaults::leftPlay),
                new FaultCase("hosts/DS6001-not-proved", story -> {
                    story.siteOf(SLURM);
                    story.lxd.behaving((command, in, out, err) -> accept("failed", command, in, out, err));
                    story.fails(1, "apply", "site.yaml", "--yes", "--quiet")
                            .then(
                                    "the jobs run",
                                    () -> story.lxd.behaving(
                                            (command, in, out, err) -> accept("passed", command, in, out, err)))
                            .does("apply", "site.yaml", "--yes", "--quiet");
                }));
    }

    /** Answers an acceptance script itself; runs all other commands. */
    static int accept(
            String verdict, String command, java.io.InputStream in, java.io.OutputStream out, java.io.OutputStream err)
            throws java.io.IOException, InterruptedException {
        var script = in.readAllBytes();
        if (new String(script, StandardCharsets.UTF_8).contains("DEEPSITE_PATIENCE")) {
            out.write(("CHECK\tsrun\t" + verdict + "\tnode\t0.5\t"
                            + (verdict.equals("failed") ? "srun: error: Unable to contact slurm controller" : "")
                            + "\n")
                    .getBytes(StandardCharsets.UTF_8));
            return verdict.equals("failed") ? 1 : 0;
        }
        return FakeSshServer.shell(command, new java.io.ByteArrayInputStream(script), out, err);
    }

    /** A process that looks like the play of a killed deepsite; it ends when deepsite waits for it. */
    private static void leftPlay(FaultStory story) throws Exception {
        story.does("apply", "site.yaml", "--yes");
        var bundle = Files.createDirectories(story.state.resolve("runs/killed/bundle"));
        var play = new ProcessBuilder("sh", "-c", "read word", "ansible-playbook")
                .directory(bundle.toFile())
                .start();
        var dead = new ProcessBuilder("true").start();
        dead.waitFor();
        story.then("deepsite is killed, and its Ansible works on", () -> {
            StateFaults.lockOf(story, dead.pid(), "the same machine");
            story.onWord("DS3111", () -> close(play));
        });
        try {
            story.fails(0, "apply", "site.yaml", "--yes").goesOn();
        } finally {
            close(play);
            play.waitFor();
        }
    }

    private static void close(Process play) {
        try {
            play.getOutputStream().close();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
