package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SecretStoreTest extends SecretStoreContractTest {
    private static final SecretKind BYTES = new SecretKind.RandomBytes(32);

    private final List<Diagnostic> notices = new ArrayList<>();

    @Test
    void generatesKeyAndSecretOnFirstNeedWithANotice() throws IOException {
        var made = store().ensure("munge_key", BYTES);

        assertThat(store().find("munge_key")).contains(made);
        assertThat(store().names()).containsExactly("munge_key");
        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.VAULT_KEY_MADE);
        assertThat(modeOf(keyFile().path())).isEqualTo("rw-------");
        assertThat(modeOf(keyFile().path().getParent())).isEqualTo("rwx------");
        assertThat(modeOf(stateFolder().vaultFile())).isEqualTo("rw-------");
        assertThat(modeOf(stateFolder().path())).isEqualTo("rwx------");
    }

    @Test
    void asksForNoKeyWhileThereIsNoSecret() {
        assertThat(store().names()).isEmpty();
        assertThat(store().fingerprints()).isEmpty();
        assertThat(store().siteKey()).isEmpty();

        assertThat(keyFile().path()).doesNotExist();
        assertThat(stateFolder().path()).doesNotExist();
    }

    @Test
    void makesManyWithOneWriteAndKeepsThoseThatAreThere() throws IOException {
        var store = store();
        var first = store.ensure("b", BYTES);
        var vault = stateFolder().vaultFile();
        var before = Files.readAllBytes(vault);

        store.ensure(Map.of("a", BYTES, "b", BYTES, "c", BYTES));

        assertThat(store().names()).containsExactly("a", "b", "c");
        assertThat(store().find("b")).contains(first);
        // The backup has the content before the last write.
        assertThat(Files.readAllBytes(AtomicFile.backup(vault))).isEqualTo(before);
    }

    @Test
    void losesNothingThatAnotherProcessWroteMeanwhile() {
        var here = store();
        var there = store();
        assertThat(here.names()).isEmpty();

        var made = there.ensure("munge_key", BYTES);
        here.put("other", Secret.of("1"));

        assertThat(here.ensure("munge_key", BYTES)).isEqualTo(made);
        assertThat(there.names()).containsExactly("munge_key", "other");
    }

    @Test
    void refusesAnUnknownNameAndListsTheKnownOnes() {
        store().put("munge_key", Secret.of("x"));

        var failure = catchThrowableOfType(Failure.class, () -> store().require("mungekey"));

        assertThat(failure.diagnostics().getFirst().why()).contains("\"mungekey\"", "munge_key");
    }

    @Test
    void aLostKeyIsNamedAndNoNewOneIsMade() throws IOException {
        store().put("a", Secret.of("1"));
        Files.delete(keyFile().path());

        assertThat(codeOf(() -> store().ensure("b", BYTES))).isEqualTo(Code.VAULT_KEY_MISSING);
        assertThat(keyFile().path()).doesNotExist();
    }

    @Test
    void aNamedKeyFileIsNeverMade() {
        var named = VaultKeyFile.locate(
                Map.of(VaultKeyFile.VARIABLE, folder.resolve("typo.key").toString()), folder);

        var code = codeOf(() -> new SecretStore(new FileVault(stateFolder()), named, notices::add).ensure("a", BYTES));

        assertThat(code).isEqualTo(Code.VAULT_KEY_MISSING);
        assertThat(named.path()).doesNotExist();
    }

    @Test
    void warnsAboutAKeyThatOthersCanRead() throws IOException {
        store().put("a", Secret.of("1"));
        Files.setPosixFilePermissions(keyFile().path(), PosixFilePermissions.fromString("rw-r-----"));
        notices.clear();

        store().require("a");

        assertThat(notices).extracting(Diagnostic::code).containsExactly(Code.VAULT_KEY_EXPOSED);
    }

    @Test
    void refusesAnEmptyKeyFile() throws IOException {
        Files.createDirectories(keyFile().path().getParent());
        Files.writeString(keyFile().path(), "\n");

        assertThat(codeOf(() -> store().put("a", Secret.of("1")))).isEqualTo(Code.VAULT_KEY_UNUSABLE);
    }

    @Test
    void aVaultThatIsNoMapIsRefusedWithoutQuotingIt() throws IOException {
        store().put("a", Secret.of("1"));
        var key = keyFile().read(notices::add).orElseThrow();
        Files.write(
                stateFolder().vaultFile(),
                AnsibleVault.encrypt("munge_key: hunter2".getBytes(StandardCharsets.UTF_8), key));

        var failure = catchThrowableOfType(Failure.class, () -> store().names());

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.VAULT_DAMAGED);
        assertThat(failure.diagnostics().getFirst().commands().getFirst())
                .startsWith("cp ")
                .contains("vault.yml.backup");
        assertThat(failure).hasMessageNotContaining("hunter2").hasNoCause();
    }

    @Test
    void aMissingVaultIsNotReplacedByAnEmptyOne() throws IOException {
        store().put("a", Secret.of("1"));
        store().put("a", Secret.of("2"));
        Files.delete(stateFolder().vaultFile());

        assertThat(codeOf(() -> store().ensure("a", BYTES))).isEqualTo(Code.VAULT_DAMAGED);
    }

    @Test
    void refusesANameThatIsNone() {
        assertThat(codeOf(() -> store().put("../a", Secret.of("1")))).isEqualTo(Code.SECRET_NAME);
        assertThat(codeOf(() -> store().put("", Secret.of("1")))).isEqualTo(Code.SECRET_NAME);
    }

    @Test
    void fingerprintsFollowTheValueOnly() {
        store().put("a", Secret.of("1"));
        store().put("b", Secret.of("1"));
        var before = store().fingerprints();
        store().put("a", Secret.of("2"));

        var after = store().fingerprints();

        assertThat(before).containsOnlyKeys("a", "b");
        assertThat(before.get("a")).startsWith("hmac-sha256:").isNotEqualTo(before.get("b"));
        assertThat(after.get("b")).isEqualTo(before.get("b"));
        assertThat(after.get("a")).isNotEqualTo(before.get("a"));
    }

    @Test
    void twoSitesFingerprintTheSameContentDifferently() {
        var other = new SecretStore(new FileVault(new StateFolder(folder.resolve("other"))), keyFile(), notices::add);

        store().ensure("a", BYTES);
        other.ensure("a", BYTES);

        assertThat(fingerprint(store())).isEqualTo(fingerprint(store())).isNotEqualTo(fingerprint(other));
    }

    @Test
    void nothingPrintsASecret() {
        var secret = Secret.of("hunter2");

        assertThat(secret + " " + VaultKey.of("hunter2", "k")).doesNotContain("hunter2");
        assertThat(StateJson.MAPPER.writeValueAsString(List.of(secret))).doesNotContain("hunter2");
    }

    private static String fingerprint(SecretStore store) {
        return store.siteKey().orElseThrow().fingerprint("f", new byte[] {1});
    }

    @Override
    protected Vault open() {
        return new FileVault(stateFolder());
    }

    private SecretStore store() {
        return new SecretStore(new FileVault(stateFolder()), keyFile(), notices::add);
    }

    private StateFolder stateFolder() {
        return StateFolder.of(folder.resolve("site.yaml"), "lab");
    }

    private VaultKeyFile keyFile() {
        return VaultKeyFile.locate(Map.of(), folder.resolve("home"));
    }

    private static Code codeOf(ThrowingCallable call) {
        return catchThrowableOfType(Failure.class, call)
                .diagnostics()
                .getFirst()
                .code();
    }

    private static String modeOf(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
