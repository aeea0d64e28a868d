package io.deepsite.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnsibleVaultTest {
    private final VaultKey key = VaultKey.of("a key, ä and 9", "a test");

    @ParameterizedTest
    @CsvSource({"by-ansible-1.1.vault, plain.yml", "by-ansible-1.2.vault, plain.yml", "empty-1.1.vault,"})
    void opensWhatTheRealToolMade(String vault, String plain) throws IOException {
        var opened = AnsibleVault.decrypt(golden(vault), VaultKey.of(new String(golden("key"), UTF_8), "key"), vault);

        assertThat(opened).isEqualTo(plain == null ? new byte[0] : golden(plain));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 4096, 100_001})
    void givesBackWhatItEncrypted(int length) {
        var plain = new byte[length];
        new SecureRandom().nextBytes(plain);

        var encrypted = AnsibleVault.encrypt(plain, key);

        assertThat(new String(encrypted, UTF_8)).startsWith("$ANSIBLE_VAULT;1.1;AES256\n");
        assertThat(AnsibleVault.decrypt(encrypted, key, "x")).isEqualTo(plain);
        assertThat(new String(encrypted, UTF_8).lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void neverEncryptsToTheSameBytesTwice() {
        assertThat(AnsibleVault.encrypt(new byte[3], key)).isNotEqualTo(AnsibleVault.encrypt(new byte[3], key));
    }

    @Test
    void refusesAnotherKeyAndNamesBothFiles() {
        var encrypted = AnsibleVault.encrypt("geheim".getBytes(UTF_8), key);

        var failure = catchThrowableOfType(
                Failure.class,
                () -> AnsibleVault.decrypt(encrypted, VaultKey.of("other", "/home/me/vault.key"), "vault.yml"));

        var diagnostic = failure.diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.VAULT_KEY_WRONG);
        assertThat(diagnostic.why()).contains("vault.yml", "/home/me/vault.key").doesNotContain("other");
    }

    @Test
    void refusesAnAlteredFile() {
        var encrypted = new String(AnsibleVault.encrypt("geheim".getBytes(UTF_8), key), UTF_8).strip();
        var last = encrypted.charAt(encrypted.length() - 1);
        var altered = encrypted.substring(0, encrypted.length() - 1) + (last == '0' ? '1' : '0');

        assertThat(codeOf(altered)).isIn(Code.VAULT_KEY_WRONG, Code.VAULT_DAMAGED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "munge_key: plain text",
                "$ANSIBLE_VAULT",
                "$ANSIBLE_VAULT;1.1;AES256",
                "$ANSIBLE_VAULT;1.1;AES256\n3535",
                "$ANSIBLE_VAULT;1.1;AES256\n353",
                "$ANSIBLE_VAULT;1.1;AES256\nnot hex",
                "$ANSIBLE_VAULT;1.0;AES\n3535"
            })
    void refusesWhatIsNoVaultFile(String content) {
        assertThat(codeOf(content)).isEqualTo(Code.VAULT_DAMAGED);
    }

    private Code codeOf(String content) {
        var failure = catchThrowableOfType(
                Failure.class, () -> AnsibleVault.decrypt(content.getBytes(UTF_8), key, "vault.yml"));
        return failure.diagnostics().getFirst().code();
    }

    private static byte[] golden(String name) throws IOException {
        try (var in = AnsibleVaultTest.class.getResourceAsStream("/golden/vault/" + name)) {
            return in.readAllBytes();
        }
    }
}
