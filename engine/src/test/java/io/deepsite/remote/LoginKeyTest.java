package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.state.FileVault;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.SecretStore;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultKeyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginKeyTest {
    @TempDir
    Path folder;

    @Test
    void makesOneLoginKeyPerSiteThatOnlyItsOwnerReads() throws IOException {
        var state = new StateFolder(folder.resolve("site")).make();

        var made = key(state).ensure();
        Files.setPosixFilePermissions(key(state).file(), PosixFilePermissions.fromString("rw-r--r--"));
        var again = key(state).ensure();

        assertThat(again).isEqualTo(made);
        assertThat(made.publicLine()).startsWith("ssh-ed25519 ").endsWith(" deepsite quickstart");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(key(state).file())))
                .isEqualTo("rw-------");
        try (var left = Files.list(state.path())) {
            assertThat(left).containsExactly(key(state).file());
        }
    }

    @Test
    void machinesThatAreMadeAtOneMomentGetOneLoginKey() throws Exception {
        var state = new StateFolder(folder.resolve("site")).make();
        var together = new CyclicBarrier(8);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var key = key(state);
            var keys = threads.invokeAll(Collections.nCopies(8, () -> {
                together.await();
                return key.ensure().publicLine();
            }));

            for (var made : keys) {
                assertThat(made.get()).isEqualTo(key(state).ensure().publicLine());
            }
        }
    }

    @Test
    void replacesNoKeyThatItCannotRead() throws IOException {
        var state = new StateFolder(folder.resolve("site")).make();
        Files.writeString(key(state).file(), "garbage");

        var failure = catchThrowableOfType(Failure.class, () -> key(state).ensure());

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.LOGIN_KEY_UNUSABLE);
        assertThat(key(state).file()).hasContent("garbage");
    }

    @Test
    void writesHostsAsOpenSshFindsThem() throws Exception {
        var one = key();
        var two = key();
        var file = folder.resolve("known_hosts");

        KnownHosts.write(
                file, List.of(target("node-2", "10.77.0.12", 2222, two), target("node-1", "fd00::11", 22, one)));

        assertThat(file).hasContent("fd00::11 " + one.line() + "\n[10.77.0.12]:2222 " + two.line() + "\n");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/ssh-keygen")), "ssh-keygen is not here");
        assertThat(run("/usr/bin/ssh-keygen", "-F", "[10.77.0.12]:2222", "-f", file.toString()))
                .contains(two.base64());
        assertThat(run("/usr/bin/ssh-keygen", "-F", "fd00::11", "-f", file.toString()))
                .contains(one.base64());
    }

    @Test
    void showsTheFingerprintThatSshKeygenShows() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/ssh-keygen")), "ssh-keygen is not here");
        var key = key();
        var file = Files.writeString(folder.resolve("key.pub"), key.line() + " some comment\n");

        assertThat(run("/usr/bin/ssh-keygen", "-lf", file.toString())).contains(key.fingerprint());
        assertThat(HostKey.parse(Files.readString(file))).isEqualTo(key);
    }

    @Test
    void takesNothingElseForAHostKey() {
        var key = key();
        for (var line : List.of(
                "",
                "ssh-ed25519",
                "ssh-ed25519 AAAA",
                "ssh-ed25519 not*base64",
                "ssh-rsa " + key.base64(),
                "ssh-ed25519\n" + key.base64() + "\nmore",
                key.base64())) {
            assertThatIllegalArgumentException().as(line).isThrownBy(() -> HostKey.parse(line));
        }
    }

    private static HostKey key() {
        return HostKey.parse(OpenSshKey.generate("host", new SecureRandom()).publicLine());
    }

    private static SshTarget target(String name, String address, int port, HostKey key) {
        return new SshTarget(name, address, port, "root", key, Path.of("/nonexistent"));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Test
    void comesFromTheSecretsOfASiteThatSeveralMachinesManage() throws IOException {
        var keyFile = VaultKeyFile.locate(Map.of(), folder);
        var secrets =
                new SecretStore(new FileVault(new StateFolder(folder.resolve("shared/quickstart"))), keyFile, _ -> {});
        var here = new LoginKey(new StateFolder(folder.resolve("here")), "quickstart", Optional.of(secrets));
        var there = new LoginKey(new StateFolder(folder.resolve("there")), "quickstart", Optional.of(secrets));

        var made = here.ensure();

        assertThat(there.file()).hasContent(made.privateKey().reveal().stripTrailing());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there.file())))
                .isEqualTo("rw-------");
        assertThat(there.ensure()).isEqualTo(made);
    }

    private static LoginKey key(StateFolder state) {
        return new LoginKey(state, "quickstart", Optional.empty());
    }
}
