package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged tool as a user starts it; {@code DEEPSITE_BIN} names it. */
class PackagedToolIT {
    @TempDir
    private Path folder;

    private record Ended(int exit, String out, String err) {}

    @Test
    void printsItsVersionOnStdoutOnly() throws Exception {
        var ended = deepsite("version");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("deepsite ").endsWith("\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void exitCodeIsTwoIfTheCommandLineIsWrong() throws Exception {
        var ended = deepsite("plan", "--jsno");

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("DS8001").contains("--json");
    }

    @Test
    void writesASiteThatItReads() throws Exception {
        assertThat(deepsite("init").exit()).isZero();

        var ended = deepsite("validate");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).contains("is valid");
    }

    /** The addresses are of no network (RFC 5737): a login would fail. */
    @Test
    void rendersHostsOfAnInventoryWithoutALogin() throws Exception {
        var key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFXRb7Mbh652UHPrfQy/UUVW1E6uehuJTqeqik/v2MN";
        Files.writeString(folder.resolve("hosts.yml"), """
                all:
                  vars: {deepsite_host_key: "%s", deepsite_cpus: 48, deepsite_memory: 96GiB}
                  children:
                    head: {hosts: {head1: {ansible_host: 192.0.2.10}}}
                    node: {hosts: {node1: {ansible_host: 192.0.2.11}, node2: {ansible_host: 192.0.2.12}}}
                """.formatted(key));
        assertThat(run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key"))
                        .exit())
                .isZero();
        Files.writeString(folder.resolve("site.yaml"), """
                apiVersion: deepsite/v1
                site: rack
                provider: {static: {inventory: hosts.yml}}
                ssh: {user: root, key: key}
                machines: {head: {}, node: {}}
                clusters:
                  hpc: {kind: slurm, controller: head, compute: [node]}
                """);

        assertThat(deepsite("validate").out()).contains("3 machines on static");
        var ended = deepsite("render", "--assume-facts");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).contains("made from assumed facts of 3 hosts", "no host was reached");
        assertThat(folder.resolve("bundle/assumed-facts.json")).content().contains("node2", "\"cpus\" : 48");
        assertThat(folder.resolve("bundle/ansible.cfg")).content().contains("nothing checked: assumed-facts.json");
        try (var files = Files.walk(folder.resolve("bundle/files/head1"))) {
            assertThat(files.filter(file -> file.endsWith("etc/slurm/slurm.conf")))
                    .singleElement()
                    .satisfies(
                            file -> assertThat(file).content().contains("NodeName=node2 NodeAddr=192.0.2.12 CPUs=48 "));
        }
    }

    @Test
    void exitCodeIsSixIfTheBackEndIsUnreachable() throws Exception {
        deepsite("init");
        var file = folder.resolve("site.yaml");
        Files.writeString(
                file, Files.readString(file).replace("unix:///var/lib/lxd/unix.socket", "unix://" + folder + "/none"));

        var ended = deepsite("plan");

        assertThat(ended.exit()).isEqualTo(6);
        assertThat(ended.err()).contains("DS2001");
    }

    @Test
    void bashReadsItsCompletion() throws Exception {
        Files.writeString(
                folder.resolve("completion.bash"),
                deepsite("completion", "bash").out());

        assertThat(run(List.of("bash", "-n", "completion.bash")).exit()).isZero();
    }

    private Ended deepsite(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Objects.requireNonNull(System.getenv("DEEPSITE_BIN"), "DEEPSITE_BIN"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private Ended run(List<String> command) throws IOException, InterruptedException {
        var out = folder.resolve("stdout.txt");
        var err = folder.resolve("stderr.txt");
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        // That of this machine may be missing, which is told, and one that others can read is told, too.
        var key = Files.writeString(folder.resolve("vault.key"), "only of this test");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        builder.environment().put("DEEPSITE_VAULT_KEY_FILE", key.toString());
        var process = builder.start();
        process.getOutputStream().close();
        int exit = process.waitFor();
        return new Ended(
                exit, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
