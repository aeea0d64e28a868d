package io.deepsite.ansible;

import io.deepsite.state.AtomicFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A bundle on its way to another machine that has the same records: secrets in it are encrypted, keys are named only.
 */
public final class BundleArchive {
    private static final String VAULT_KEY = "vault_password_file = ";

    private final byte[] zip;

    /** @param zip see {@link #bytes} */
    public BundleArchive(byte[] zip) {
        this.zip = zip;
    }

    public static BundleArchive of(Path bundle) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ZipOutputStream(bytes);
                var files = Files.walk(bundle)) {
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new ZipEntry(bundle.relativize(file).toString()));
                Files.copy(file, out);
            }
        } catch (IOException e) {
            throw AtomicFile.notWritten(bundle, e);
        }
        return new BundleArchive(bytes.toByteArray());
    }

    /** A ZIP file. */
    public byte[] bytes() {
        return zip;
    }

    /**
     * @param bundle does not exist yet; becomes readable by its owner only
     * @param vaultKey of this machine
     */
    public void unpack(Path bundle, Path vaultKey) {
        try (var in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            Files.createDirectory(
                    bundle, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                var file = bundle.resolve(entry.getName()).normalize();
                if (!file.startsWith(bundle)) {
                    throw new IOException(entry.getName() + " leads out of the bundle");
                }
                Files.createDirectories(file.getParent());
                Files.copy(in, file);
            }
            var configuration = bundle.resolve("ansible.cfg");
            Files.write(
                    configuration,
                    Files.readAllLines(configuration).stream()
                            .map(line -> line.startsWith(VAULT_KEY) ? VAULT_KEY + vaultKey.toAbsolutePath() : line)
                            .toList());
        } catch (IOException e) {
            throw AtomicFile.notWritten(bundle, e);
        }
    }
}
