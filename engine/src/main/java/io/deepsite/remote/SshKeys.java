package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/**
 * The key pair with which deepsite logs in to the machines of one site. It is a file because OpenSSH, and so Ansible,
 * needs one; {@code ssh-agent} is not used, so that a run does not depend on who is logged in.
 */
public final class SshKeys {
    private SshKeys() {}

    public static Path loginFile(StateFolder folder) {
        return folder.path().resolve("login_key");
    }

    /**
     * The site's key pair; generated and written to disk first if it does not exist. Needs the site's lock.
     * Synchronized: machines are created concurrently and share the key.
     *
     * @throws Failure LOGIN_KEY_UNUSABLE, STATE_NOT_WRITTEN
     */
    public static synchronized OpenSshKey login(StateFolder folder, String site) {
        var file = loginFile(folder);
        if (!Files.exists(file)) {
            var key = OpenSshKey.generate("deepsite " + site, new SecureRandom());
            AtomicFile.write(file, key.privateKey().reveal());
            return key;
        }
        try {
            // ssh refuses a key that others may read, and copying a folder easily loses its modes.
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            return OpenSshKey.of(Secret.of(Files.readString(file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LOGIN_KEY_UNUSABLE,
                            file + ", by which deepsite logs in to the machines of " + site + ", cannot be read: "
                                    + e.getMessage() + ".",
                            "Restore it from a backup: without it nothing can log in to the machines of the site."),
                    e);
        }
    }
}
