package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds the vault key.
 *
 * @param named whether {@code DEEPSITE_VAULT_KEY_FILE} names it; deepsite never creates such a file: if it is missing,
 *     its name is probably mistyped
 */
public record VaultKeyFile(Path path, boolean named) {
    public static final String VARIABLE = "DEEPSITE_VAULT_KEY_FILE";

    private static final int KEY_BYTES = 32;
    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    /** @param home the user's home directory; the default is {@code .config/deepsite/vault.key} below it */
    public static VaultKeyFile locate(Map<String, String> environment, Path home) {
        var named = environment.getOrDefault(VARIABLE, "");
        return named.isBlank()
                ? new VaultKeyFile(home.resolve(".config/deepsite/vault.key"), false)
                : new VaultKeyFile(Path.of(named), true);
    }

    /** Empty if the default file does not exist. */
    public Optional<VaultKey> read(Consumer<Diagnostic> notices) {
        if (!Files.exists(path)) {
            if (named) {
                throw missing(VARIABLE + " names it.", "Correct the variable, or put the key file back.");
            }
            return Optional.empty();
        }
        try {
            var content = Files.readString(path, StandardCharsets.UTF_8);
            if (content.isBlank()) {
                throw unusable("It is empty.", null);
            }
            if (Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains)) {
                notices.accept(Diagnostic.warning(
                        Code.VAULT_KEY_EXPOSED,
                        null,
                        path + " opens every secret of your sites and is not readable by you alone.",
                        "Remove the permissions of others:",
                        "chmod 600 " + path));
            }
            return Optional.of(VaultKey.of(content, path.toString()));
        } catch (IOException e) {
            throw unusable("Reading it as text failed: " + FileFault.words(e) + ".", e);
        }
    }

    /**
     * @param vault what needs the key
     * @throws Failure VAULT_KEY_MISSING
     */
    VaultKey require(String vault, Consumer<Diagnostic> notices) {
        return read(notices)
                .orElseThrow(() -> missing(
                        "It is the key of " + vault + ", which exists, so the secrets cannot be read.",
                        "Put the key file back from your backup, or point " + VARIABLE
                                + " at it. If there is none, the secrets are lost: move the vault and its .backup"
                                + " away, and deepsite generates new ones; `deepsite adopt` gives the machines new"
                                + " keys."));
    }

    /** Creates the default file on first need, and reports it: a lost key cannot be recovered. */
    public VaultKey readOrMake(Consumer<Diagnostic> notices) {
        var present = read(notices);
        if (present.isPresent()) {
            return present.get();
        }
        var random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        var text = Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n";
        try {
            Files.createDirectories(
                    path.toAbsolutePath().getParent(), PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_FOLDER));
            if (AtomicFile.create(path.toAbsolutePath(), text.getBytes(StandardCharsets.US_ASCII))) {
                notices.accept(new Diagnostic(
                        Diagnostic.Severity.NOTE,
                        Code.VAULT_KEY_MADE,
                        null,
                        path + " opens the secrets of your sites. If it is lost, nothing can replace it.",
                        "Keep a copy in a safe place.",
                        List.of()));
            }
        } catch (IOException e) {
            var full = FileFault.full(path, e, "No secret was made.");
            if (full.isPresent()) {
                throw new Failure(full.get(), e);
            }
            throw unusable("Making it failed: " + FileFault.words(e) + ".", e);
        }
        return require(path.toString(), notices);
    }

    private Failure missing(String why, String fix) {
        return new Failure(Diagnostic.error(Code.VAULT_KEY_MISSING, path + " does not exist. " + why, fix));
    }

    private Failure unusable(String why, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.VAULT_KEY_UNUSABLE,
                        path + ": " + why,
                        "It holds one line of UTF-8 text, as for ansible-vault --vault-password-file. Put it back"
                                + " from your backup; if it has never been used, remove it, and deepsite generates a new one."),
                cause);
    }
}
