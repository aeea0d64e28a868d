package io.deepsite.rolebundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.remote.HostKey;
import io.deepsite.remote.SshTarget;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.AnsibleVault;
import io.deepsite.state.VaultKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code testbed/roles/test} holds roles to in containers is rendered here, too, so that a role whose test no longer fits it
 * fails early. The bundles stay below {@code target}: {@code testbed/lint} checks their scripts.
 */
class RoleBundleTest {
    private static final DeepsiteHome HOME = DeepsiteHome.find();
    private static final Path BUNDLES = Path.of("target/role-bundles");
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("rolesWithVariables")
    void theRoleIsHeldLast(String role) throws IOException {
        var bundle = emptied(BUNDLES.resolve(role)).resolve("bundle");

        RoleBundle.write(HOME, variables(role), guest(), bundle);

        var plays = JSON.readTree(Files.readString(bundle.resolve("site.yml")));
        assertThat(plays.get(plays.size() - 1).path("import_playbook").asString())
                .isEqualTo(role + ".yml");
        var contract = JSON.readTree(Files.readString(bundle.resolve("contracts/guest/" + role + ".json")));
        assertThat(contract.path("items").size() + contract.path("actions").size())
                .isPositive();
    }

    @Test
    void everyRoleHasATestOrALineThatSaysWhyNot() throws IOException {
        var untested = Files.readString(HOME.root().resolve("testbed/roles/untested"));

        assertThat(roles())
                .isNotEmpty()
                .allMatch(role -> Files.exists(tests(role).resolve("site.yaml"))
                        ^ Files.exists(variables(role))
                        ^ untested.contains("\n" + role + " "));
    }

    @Test
    void rolesShareTheSecretsOfTheFileAndThoseThatAreGenerated() throws IOException {
        var text = Files.readString(variables("marathon"));
        var variables = Files.writeString(
                folder.resolve("variables.yaml"), "secrets: {mesos_tasks_chronos_password: given}\n" + text);

        RoleBundle.write(HOME, variables, guest(), folder.resolve("bundle"));

        assertThat(secret("mesos_master/etc/mesos/credentials"))
                .contains("\"secret\": \"given\"")
                .contains("\"secret\": \""
                        + secret("marathon/etc/mesos/marathon-secret").strip() + "\"");
    }

    private String secret(String file) throws IOException {
        var key = folder.resolve("vault.key");
        var encrypted = Files.readAllBytes(folder.resolve("bundle/files/guest").resolve(file));
        return new String(
                AnsibleVault.decrypt(encrypted, VaultKey.of(Files.readString(key), key.toString()), file), UTF_8);
    }

    static List<String> rolesWithVariables() throws IOException {
        return roles().stream().filter(role -> Files.exists(variables(role))).toList();
    }

    private static List<String> roles() throws IOException {
        try (var roles = Files.list(HOME.roles())) {
            return roles.map(role -> role.getFileName().toString()).sorted().toList();
        }
    }

    private static Path tests(String role) {
        return HOME.roles().resolve(role).resolve("tests");
    }

    private static Path variables(String role) {
        return tests(role).resolve("variables.yaml");
    }

    private static SshTarget guest() {
        return new SshTarget(
                RoleBundle.GUEST,
                "192.0.2.7",
                22,
                "root",
                HostKey.parse("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRlc3RrZXl0ZXN0a2V5dGVzdGtleXRlc3RrZXl0ZXN0"),
                Path.of("key"));
    }

    private static Path emptied(Path old) throws IOException {
        if (Files.exists(old)) {
            try (var files = Files.walk(old)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(old);
    }
}
