package io.deepsite.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the real ansible-vault, if it is installed. */
class AnsibleVaultIT {
    @TempDir
    Path folder;

    @BeforeEach
    void ansibleVaultIsInstalled() {
        assumeTrue(Programs.isInstalled("ansible-vault"), "no ansible-vault in PATH");
    }

    @Test
    void theRealToolOpensWhatWeMade() throws Exception {
        var text = "munge_key: ü\n".repeat(100);
        var key = Files.writeString(folder.resolve("key"), "  schlüssel 1 \n");
        Files.write(
                folder.resolve("made.vault"),
                AnsibleVault.encrypt(text.getBytes(UTF_8), VaultKey.of(Files.readString(key), "key")));

        var seen = Programs.run(
                "ansible-vault",
                "decrypt",
                "--vault-password-file",
                key.toString(),
                "--output",
                folder.resolve("plain").toString(),
                folder.resolve("made.vault").toString());

        assertThat(Files.readString(folder.resolve("plain"))).as(seen).isEqualTo(text);
    }

    @Test
    void theRealToolReadsTheSecretStoreAsYaml() throws Exception {
        var key = new VaultKeyFile(Files.writeString(folder.resolve("key"), "schlüssel\n"), true);
        var store = new SecretStore(new FileVault(new StateFolder(folder.resolve("state"))), key, _ -> {});
        var value = "a\"b\\c: ü\nsecond # line";
        store.put("munge_key", Secret.of(value));
        Files.writeString(folder.resolve("play.yml"), """
                - hosts: localhost
                  connection: local
                  gather_facts: false
                  vars_files: [state/vault.yml]
                  tasks:
                    - ansible.builtin.copy:
                        content: "{{ munge_key }}"
                        dest: "{{ playbook_dir }}/copied"
                        mode: "0600"
                """);

        var seen = Programs.run(
                "ansible-playbook",
                "-i",
                "localhost,",
                "--vault-password-file",
                key.path().toString(),
                folder.resolve("play.yml").toString());

        assertThat(Files.readString(folder.resolve("copied"))).as(seen).isEqualTo(value);
    }
}
