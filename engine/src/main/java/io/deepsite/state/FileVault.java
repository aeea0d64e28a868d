package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code vault.yml} in the state folder, with one backup beside it. */
public final class FileVault implements Vault {
    private final StateFolder folder;

    public FileVault(StateFolder folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return folder.vaultFile().toString();
    }

    @Override
    public String site() {
        return folder.path().getFileName().toString();
    }

    @Override
    public Optional<byte[]> read() {
        var file = folder.vaultFile();
        if (!Files.exists(file)) {
            if (Files.exists(AtomicFile.backup(file))) {
                // New secrets would lock us out of what the old ones open.
                throw damaged("It is missing, but its backup exists.");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw damaged("Reading it failed: " + FileFault.words(e) + ".");
        }
    }

    @Override
    public Object version() {
        return Stamp.of(folder);
    }

    @Override
    public void replace(byte[] encrypted) {
        folder.make();
        AtomicFile.replace(folder.vaultFile(), out -> out.write(encrypted), "vault.write");
    }

    @Override
    public Failure damaged(String why) {
        var file = folder.vaultFile();
        return new Failure(Diagnostic.error(
                Code.VAULT_DAMAGED,
                file + ": " + why,
                "Fix it with ansible-vault edit, or restore the previous version:",
                "cp " + AtomicFile.backup(file) + " " + file));
    }

    /**
     * The file's metadata: another process may write it.
     *
     * @param key the file's own: each write creates a new one
     */
    private record Stamp(
            @Nullable Object key, long size, @Nullable FileTime changed) {
        static Stamp of(StateFolder folder) {
            try {
                var seen = Files.readAttributes(folder.vaultFile(), BasicFileAttributes.class);
                return new Stamp(seen.fileKey(), seen.size(), seen.lastModifiedTime());
            } catch (IOException e) {
                // A read reports what is wrong; a missing file has no secrets.
                return new Stamp(null, -1, null);
            }
        }
    }
}
