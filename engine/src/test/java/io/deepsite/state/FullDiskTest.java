package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import io.deepsite.diag.FaultMessage;
import io.deepsite.diag.FileFault;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** /dev/full behaves as a full disk; the lane operation uses a real one. */
class FullDiskTest {
    @TempDir
    private Path folder;

    @Test
    void aFullFileSystemIsNamed() {
        var file = folder.resolve("state.json");

        FaultMessage.assertReads(
                "state/DS4107-no-room-for-the-state",
                () -> {
                    throw AtomicFile.notWritten(file, noRoom());
                },
                text -> text.replace(folder.toString(), "/lab")
                        .replaceAll("system \\S+ \\([^)]*\\)", "system /lab (/dev/sdb1)")
                        .replaceAll(
                                "[0-9]+ bytes of it are free.*?used up\\.|[0-9]+ bytes of it are free\\.",
                                "0 bytes of it are free."));
    }

    @Test
    void reportsOtherWriteFaultsAsThemselves() {
        var denied = new AccessDeniedException("/lab/state.json");

        assertThat(FileFault.full(folder, denied, "")).isEmpty();
        assertThat(AtomicFile.notWritten(folder, denied)
                        .diagnostics()
                        .getFirst()
                        .code())
                .isEqualTo(Code.STATE_NOT_WRITTEN);
    }

    private static IOException noRoom() {
        try (var out = new FileOutputStream("/dev/full")) {
            out.write(1);
        } catch (IOException e) {
            return e;
        }
        throw new IllegalStateException("/dev/full took a byte");
    }
}
