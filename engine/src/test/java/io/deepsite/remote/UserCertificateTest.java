package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.deepsite.site.SshPublicKey;
import io.deepsite.state.OpenSshKey;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Apache MINA SSHD, which has no code in common with it, reads in a certificate. */
class UserCertificateTest {
    private static final Instant FROM = Instant.parse("2026-01-02T03:00:05Z");
    private static final Instant UNTIL = Instant.parse("2026-01-02T11:04:05Z");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final OpenSshKey AUTHORITY = OpenSshKey.generate("user_ca_ssh_key", RANDOM);

    static Stream<String> keys() throws Exception {
        return Stream.of(
                OpenSshKey.generate("alice", RANDOM).publicLine(), made("RSA", 2048), made("EC", 256), made("EC", 521));
    }

    private static String made(String algorithm, int bits) throws Exception {
        var generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return PublicKeyEntry.toString(generator.generateKeyPair().getPublic());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void saysWhoWhenAndNothingElse(String line) throws Exception {
        var certificate = certificate(line, -1).signedBy(AUTHORITY, RANDOM);

        var read = read(certificate);
        assertThat(read.getType()).isEqualTo(OpenSshCertificate.Type.USER);
        assertThat(KeyUtils.compareKeys(read.getCertPubKey(), key(line))).isTrue();
        assertThat(read.getId()).isEqualTo("deepsite:lab:alice");
        assertThat(read.getPrincipals()).containsExactly("alice");
        assertThat(read.getSerial()).isEqualTo(-1);
        assertThat(read.getValidAfter()).isEqualTo(FROM.getEpochSecond());
        assertThat(read.getValidBefore()).isEqualTo(UNTIL.getEpochSecond());
        assertThat(read.getCriticalOptionsMap()).isEmpty();
        assertThat(read.getExtensionsMap())
                .containsOnlyKeys("permit-agent-forwarding", "permit-port-forwarding", "permit-pty");
        assertThat(certificate).endsWith(" deepsite:lab:alice").doesNotContain("\n");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void isSignedByTheAuthority(String line) throws Exception {
        var read = read(certificate(line, 7).signedBy(AUTHORITY, RANDOM));

        assertThat(KeyUtils.compareKeys(read.getCaPubKey(), key(AUTHORITY.publicLine())))
                .isTrue();
        var check = BuiltinSignatures.ed25519.create();
        check.initVerifier(null, read.getCaPubKey());
        check.update(null, read.getMessage());
        assertThat(check.verify(null, read.getSignature())).isTrue();
    }

    @Test
    void hasANameOfItsOwnForKeysOfHardware() {
        var blob = new ByteArrayBuffer();
        blob.putString("sk-ssh-ed25519@openssh.com");
        blob.putBytes(new byte[32]);
        blob.putString("ssh:");
        var line = "sk-ssh-ed25519@openssh.com " + Base64.getEncoder().encodeToString(blob.getCompactData());

        assertThat(certificate(line, 1).signedBy(AUTHORITY, RANDOM)).startsWith("sk-ssh-ed25519-cert-v01@openssh.com ");
    }

    /** By the format, a certificate without principals is valid for every account; only sshd refuses it. */
    @Test
    void alwaysNamesAnAccount() {
        var key = SshPublicKey.parse(AUTHORITY.publicLine());

        assertThatIllegalArgumentException().isThrownBy(() -> new UserCertificate(key, "x", "", 1, FROM, UNTIL));
    }

    private static UserCertificate certificate(String line, long serial) {
        return new UserCertificate(SshPublicKey.parse(line), "deepsite:lab:alice", "alice", serial, FROM, UNTIL);
    }

    private static java.security.PublicKey key(String line) throws Exception {
        return PublicKeyEntry.parsePublicKeyEntry(line).resolvePublicKey(null, null, null);
    }

    private static OpenSshCertificate read(String line) throws Exception {
        return (OpenSshCertificate) key(line);
    }
}
