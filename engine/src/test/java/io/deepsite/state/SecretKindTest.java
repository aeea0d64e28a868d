package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretKindTest {
    private final SecureRandom random = new SecureRandom();

    @Test
    void bytesAreBase64OfTheLengthAsked() {
        var secret = new SecretKind.RandomBytes(1024).generate(random);

        assertThat(Base64.getDecoder().decode(secret.reveal())).hasSize(1024);
        assertThat(secret).isNotEqualTo(new SecretKind.RandomBytes(1024).generate(random));
    }

    @Test
    void passwordsHoldNothingThatNeedsQuoting() {
        assertThat(new SecretKind.Password(32).generate(random).reveal()).matches("[A-Za-z0-9]{32}");
    }

    @Test
    void weakSecretsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SecretKind.Password(8));
        assertThatIllegalArgumentException().isThrownBy(() -> new SecretKind.RandomBytes(4));
        assertThatIllegalArgumentException().isThrownBy(() -> Secret.of(""));
    }

    @Test
    void aValueIsReadAsItsKindWants() {
        var password = new SecretKind.Password(32);
        var pair = new SecretKind.SshKeyPair("lab");
        var key = OpenSshKey.generate("theirs", random).privateKey();

        assertThat(password.read("chosen by hand\n").reveal()).isEqualTo("chosen by hand");
        assertThat(pair.read("\n" + key.reveal().strip())).isEqualTo(key);
        assertThatIllegalArgumentException().isThrownBy(() -> password.read("two\nlines"));
        assertThatIllegalArgumentException().isThrownBy(() -> pair.read("-----BEGIN OPENSSH PRIVATE KEY-----"));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> pair.read("-----BEGIN OPENSSH PRIVATE KEY-----\n!\n-----END OPENSSH PRIVATE KEY-----"));
    }

    @Test
    void sshKeysHaveAPublicHalf() {
        var made = OpenSshKey.generate("deepsite lab", random);

        assertThat(made.publicLine()).matches("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\\S+ deepsite lab");
        assertThat(OpenSshKey.of(Secret.of(made.privateKey().reveal()))).isEqualTo(made);
    }

    @Test
    void opensshReadsOurKeys(@TempDir Path folder) throws Exception {
        assumeTrue(Programs.isInstalled("ssh-keygen"), "no ssh-keygen in PATH");
        for (var i = 0; i < 8; i++) {
            var key = OpenSshKey.generate("n".repeat(i), random);
            var file = folder.resolve("key" + i);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_ONLY));
            Files.writeString(file, key.privateKey().reveal());

            assertThat(Programs.run("ssh-keygen", "-y", "-f", file.toString()).strip())
                    .isEqualTo(key.publicLine());
        }
    }

    @Test
    void otherTextsAreNoKeys() {
        var key = OpenSshKey.generate("", random).privateKey().reveal();
        var lines = key.lines().toList();

        for (var text : new String[] {"x", key.substring(0, 100), lines.getFirst() + "\nAAAA\n" + lines.getLast()}) {
            assertThatIllegalArgumentException().isThrownBy(() -> OpenSshKey.of(Secret.of(text)));
        }
    }
}
