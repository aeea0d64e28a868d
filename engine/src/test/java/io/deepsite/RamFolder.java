package io.deepsite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders of tests, in RAM where the machine has room there and lets programs in it run. The tests make and delete
 * some hundred thousand small files; ext4 looks around each inode that was deleted lately, which took a quarter of their time.
 * The root pom.xml names this class.
 */
public final class RamFolder implements TempDirFactory {
    private static final long ROOM = 512L << 20;
    private static final String PREFIX = "deepsite-test";
    private static final Path PARENT = parent();

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return Files.createTempDirectory(PARENT, PREFIX);
    }

    private static Path parent() {
        var ram = Path.of("/dev/shm");
        try {
            if (Files.isWritable(ram) && Files.getFileStore(ram).getUsableSpace() > ROOM && runsPrograms(ram)) {
                return ram;
            }
        } catch (IOException e) {
            // Then on disk, as everywhere.
        }
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** On a file system mounted noexec nothing is executable, whatever its mode. */
    private static boolean runsPrograms(Path folder) throws IOException {
        var program = Files.createTempFile(
                folder, PREFIX, "", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            return Files.isExecutable(program);
        } finally {
            Files.delete(program);
        }
    }
}
