package io.deepsite.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SshPublicKeyTest {
    private static final byte[] POINT = new byte[32];

    /** Of each type, fields as long as real ones. */
    static Stream<String> keys() {
        return Stream.of(
                line("ssh-ed25519", POINT),
                line("ecdsa-sha2-nistp256", bytes("nistp256"), new byte[65]),
                line("ecdsa-sha2-nistp384", bytes("nistp384"), new byte[97]),
                line("ecdsa-sha2-nistp521", bytes("nistp521"), new byte[133]),
                line("ssh-rsa", new byte[] {1, 0, 1}, new byte[257]),
                line("sk-ssh-ed25519@openssh.com", POINT, bytes("ssh:")),
                line("sk-ecdsa-sha2-nistp256@openssh.com", bytes("nistp256"), new byte[65], bytes("ssh:")));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void readsEveryTypeOfKeyThatOpenSshMakes(String line) {
        var key = SshPublicKey.parse(line + " alice@laptop of  hers\n");

        assertThat(key.comment()).isEqualTo("alice@laptop of  hers");
        assertThat(line(key.type(), key.fields().toArray(byte[][]::new))).isEqualTo(line);
    }

    /** What follows the fields of a key would otherwise be signed as fields of its certificate. */
    @ParameterizedTest
    @MethodSource("keys")
    void refusesAKeyWithMoreBehindIt(String line) {
        var words = line.split(" ");
        var wire = Base64.getDecoder().decode(words[1]);
        var longer = ByteBuffer.allocate(wire.length + 1).put(wire).array();

        assertThat(SshPublicKey.fault(words[0] + " " + Base64.getEncoder().encodeToString(longer)))
                .isEqualTo("The key itself is longer than a key of its type.");
    }

    @Test
    void refusesWhatIsNoPublicKey() {
        assertThat(SshPublicKey.fault("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n"))
                .contains("private key");
        assertThat(SshPublicKey.fault("ssh-dss AAAA")).contains("DSA");
        assertThat(SshPublicKey.fault(line("ssh-rsa", new byte[] {1, 0, 1}, new byte[129])))
                .contains("2048 bits");
        assertThat(SshPublicKey.fault(line("ssh-ed25519-cert-v01@openssh.com", POINT)))
                .contains("certificate");
        assertThat(SshPublicKey.fault(line("ssh-ed25519", new byte[31]))).contains("cut off");
        assertThat(SshPublicKey.fault(line("ssh-ed25519", new byte[0]))).contains("cut off");
        assertThat(SshPublicKey.fault(line("sk-ssh-ed25519@openssh.com", POINT, new byte[0])))
                .contains("cut off");
        assertThat(SshPublicKey.fault("ssh-ed25519 " + line("ssh-rsa", POINT).split(" ")[1]))
                .contains("another type");
        assertThat(SshPublicKey.fault("ssh-ed25519 !")).isNotEmpty();
        assertThat(SshPublicKey.fault("ssh-ed25519")).contains("missing");
        assertThat(SshPublicKey.fault("")).contains("begins with its type");
        assertThat(SshPublicKey.fault("command=\"id\" " + line("ssh-ed25519", POINT)))
                .contains("options");
        assertThat(SshPublicKey.fault(line("ssh-ed25519", POINT) + "\n" + line("ssh-ed25519", POINT)))
                .contains("one line");
        assertThat(SshPublicKey.fault(line("ssh-rsa", new byte[3], new byte[20_000])))
                .contains("one line");
        assertThatIllegalArgumentException().isThrownBy(() -> SshPublicKey.parse("ssh-ed25519 AAAA"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String line(String type, byte[]... fields) {
        var wire = ByteBuffer.allocate(100_000);
        wire.putInt(type.length()).put(bytes(type));
        for (var field : fields) {
            wire.putInt(field.length).put(field);
        }
        return type + " "
                + Base64.getEncoder()
                        .encodeToString(ByteBuffer.allocate(wire.position())
                                .put(wire.flip())
                                .array());
    }
}
