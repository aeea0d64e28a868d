package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.state.OpenSshKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenSSH's own client with the configuration that deepsite writes, against two SSH servers. */
class SshConfigIT {
    @TempDir
    Path folder;

    private FakeSshServer gate;
    private FakeSshServer inner;

    @BeforeEach
    void start() throws Exception {
        gate = new FakeSshServer(folder).passingOn();
        inner = new FakeSshServer(folder);
    }

    @AfterEach
    void stop() throws IOException {
        inner.close();
        gate.close();
    }

    @Test
    void reachesAHostThroughAnother() throws Exception {
        var target = behind(gate.target("admin"), inner.target("root"));

        assertThat(ssh(target, List.of(target))).isEqualTo("0 there\n");

        assertThat(gate.passedOn).hasSize(1);
        assertThat(inner.commands).containsExactly("echo there");
    }

    @Test
    void refusesEitherHostWhenItsKeyIsAnother() throws Exception {
        var other =
                HostKey.parse(OpenSshKey.generate("other", new SecureRandom()).publicLine());
        var good = behind(gate.target("admin"), inner.target("root"));
        var wrongGate = behind(gate.target("admin", other, gate.keyFile(gate.login)), inner.target("root"));
        var wrongInner = behind(gate.target("admin"), inner.target("root", other, inner.keyFile(inner.login)));

        assertThat(ssh(good, List.of(wrongGate))).startsWith("255 ").contains("Host key verification failed");
        assertThat(ssh(good, List.of(wrongInner))).startsWith("255 ").contains("Host key verification failed");
        assertThat(inner.commands).isEmpty();
    }

    /** @param trusted whose keys are in known_hosts */
    private String ssh(SshTarget target, List<SshTarget> trusted) throws Exception {
        var known = folder.resolve("known hosts 100%");
        Files.writeString(known, KnownHosts.text(trusted));
        var config = Files.writeString(folder.resolve("config"), SshConfig.text(target, known));
        var process = new ProcessBuilder("ssh", "-F", config.toString(), "--", target.name(), "echo there")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + said;
    }

    private static SshTarget behind(SshTarget gate, SshTarget target) {
        return new SshTarget(
                target.name(),
                target.address(),
                target.port(),
                target.user(),
                target.hostKey(),
                target.privateKey(),
                Optional.of(new SshTarget(
                        "the jump host gate",
                        gate.address(),
                        gate.port(),
                        gate.user(),
                        gate.hostKey(),
                        gate.privateKey())));
    }
}
