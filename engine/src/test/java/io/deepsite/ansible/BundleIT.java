package io.deepsite.ansible;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Contract;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.SshTarget;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.OpenSshKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real ansible-playbook runs a bundle; a script replaces OpenSSH's client. */
class BundleIT {
    @TempDir
    Path folder;

    @Test
    void ansibleWaitsForALoginAsLongAsTheSiteDoes() throws IOException {
        var hostKey =
                HostKey.parse(OpenSshKey.generate("node", new SecureRandom()).publicLine());
        var host = new SshTarget("node", "192.0.2.1", 22, "root", hostKey, folder.resolve("key"));
        var play = new Bundle.Play("motd", "motd", List.of("node"), 0);
        var part = new Bundle.Part(new Contract("motd", "node", List.of(), List.of()), "", List.of());
        var bundle = new Bundle("lab", List.of(play), List.of(), List.of(host), List.of(part), Optional.empty());
        new BundleWriter(DeepsiteHome.find(), Duration.ofMinutes(20), Optional.empty())
                .write(bundle, folder.resolve("bundle"));

        var listener = new Listening(new ArrayList<>());
        runner().run(List.of(play), listener, _ -> {});

        assertThat(listener.results.get("motd").get("node"))
                .isInstanceOfSatisfying(
                        HostResult.Failed.class,
                        failed -> assertThat(failed.unreachable()).isTrue());
        assertThat(folder.resolve("asked")).content().contains("ConnectTimeout=1200");
    }

    /** Its ssh records its arguments and connects to no host. */
    private AnsibleRunner runner() throws IOException {
        var programs = Files.createDirectories(folder.resolve("programs"));
        Files.createFile(
                programs.resolve("ssh"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(
                programs.resolve("ssh"), "#!/bin/sh\necho \"$@\" >>'" + folder.resolve("asked") + "'\nexit 255\n");
        var path = programs + ":" + System.getenv("PATH");
        return new AnsibleRunner(
                new Playbook(
                        "1",
                        folder.resolve("bundle"),
                        folder,
                        1,
                        Map.of("PATH", path, "HOME", folder.toString()),
                        Optional.empty()),
                ControlNodes.THIS);
    }
}
