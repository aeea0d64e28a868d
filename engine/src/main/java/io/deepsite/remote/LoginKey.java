package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import io.deepsite.state.SecretStore;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The key pair with which deepsite logs in to the machines of one site. It is a file because OpenSSH, and so Ansible,
 * needs one; {@code ssh-agent} is not used, so that a run does not depend on who is logged in. Synchronized: machines
 * are created concurrently and share the key.
 */
public final class LoginKey {
    private static final String SECRET = "login_key";

    private final StateFolder folder;
    private final String site;
    private final Optional<SecretStore> shared;
    private boolean isPlaced;

    /** @param shared the secrets of a site that several machines manage: there the key is one of them; else empty */
    public LoginKey(StateFolder folder, String site, Optional<SecretStore> shared) {
        this.folder = folder;
        this.site = site;
        this.shared = shared;
    }

    /** Whether this is the name of the key among shared secrets: another one in its place would open no machine. */
    public static boolean isName(String secret) {
        return secret.equals(SECRET);
    }

    /** There once the site has a key. */
    public synchronized Path file() {
        if (!isPlaced) {
            shared.flatMap(secrets -> secrets.find(SECRET)).ifPresent(this::place);
        }
        return path();
    }

    /**
     * The site's key pair; generated and written to disk first if it does not exist. Needs the site's lock.
     *
     * @throws Failure LOGIN_KEY_UNUSABLE, STATE_NOT_WRITTEN
     */
    public synchronized OpenSshKey ensure() {
        return shared.map(this::ensureIn).orElseGet(this::ensureFile);
    }

    /** Puts the key, if there is one, among secrets that several machines share. */
    public synchronized void copyTo(SecretStore secrets) {
        if (Files.exists(file())) {
            secrets.put(SECRET, ensure().privateKey());
        }
    }

    private OpenSshKey ensureIn(SecretStore secrets) {
        var present = secrets.find(SECRET);
        var key = present.map(OpenSshKey::of).orElseGet(this::generate);
        if (present.isEmpty()) {
            secrets.put(SECRET, key.privateKey());
        }
        place(key.privateKey());
        return key;
    }

    private OpenSshKey ensureFile() {
        if (!Files.exists(path())) {
            var key = generate();
            AtomicFile.write(path(), key.privateKey().reveal());
            return key;
        }
        try {
            // ssh refuses a key that others may read, and copying a folder easily loses its modes.
            Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-------"));
            return OpenSshKey.of(Secret.of(Files.readString(path())));
        } catch (IOException | IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LOGIN_KEY_UNUSABLE,
                            path() + ", by which deepsite logs in to the machines of " + site + ", cannot be read: "
                                    + e.getMessage() + ".",
                            "Restore it from a backup: without it nothing can log in to the machines of the site."),
                    e);
        }
    }

    private OpenSshKey generate() {
        return OpenSshKey.generate("deepsite " + site, new SecureRandom());
    }

    private void place(Secret key) {
        folder.make();
        AtomicFile.write(path(), key.reveal());
        isPlaced = true;
    }

    private Path path() {
        return folder.path().resolve("login_key");
    }
}
