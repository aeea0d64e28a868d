package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fills the state folder's file system at many points of an apply. It is a real one, which only root may make. */
class FullDiskIT {
    private static final int KIBIBYTE = 1024;
    /** KiB. */
    private static final int LARGEST = 8 * 1024;

    @TempDir
    private Path folder;

    @Test
    void fullDiskIsReportedAndTheNextApplyResumes() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "mounting a file system takes root");
        int room = 0;
        while (!hasRoom(room)) {
            room += room < 64 ? 4 : room / 4;
        }
        assertThat(room).as("the first apply needed some room").isBetween(64, LARGEST);
    }

    /** Applies a new site on a disk with this many free KiB. */
    private boolean hasRoom(int room) throws Exception {
        var place = Files.createDirectories(folder.resolve("with-" + room));
        var disk = Files.createDirectories(place.resolve(".deepsite"));
        mount("mount", "-t", "tmpfs", "-o", "size=" + 2 * LARGEST + "k", "tmpfs", disk.toString());
        try (var story = new FaultStory(place)) {
            story.site(HostFaults.USER);
            var filler = fill(disk, room);

            var said = story.attempt("apply", "site.yaml", "--yes");

            if (said.exit() == 0) {
                return true;
            }
            assertThat(said.exit()).as(room + " KiB: " + said).isEqualTo(1);
            assertThat(said.stderr())
                    .as(room + " KiB")
                    .contains("error DS4107", "The file system .deepsite (tmpfs) is full")
                    .doesNotContain("DS9001", "DS3101");
            Files.delete(filler);
            story.goesOnToConfigure();
            return false;
        } finally {
            mount("umount", disk.toString());
        }
    }

    /** Fills the disk except for this many KiB. */
    private static Path fill(Path disk, int room) throws IOException {
        var filler = disk.resolve("filler");
        try (var out = Files.newOutputStream(filler)) {
            for (long left = free(disk); left > (long) room * KIBIBYTE; left = free(disk)) {
                write(out);
            }
        }
        return filler;
    }

    private static void write(OutputStream out) throws IOException {
        out.write(new byte[4 * KIBIBYTE]);
        out.flush();
    }

    private static long free(Path disk) throws IOException {
        return Files.getFileStore(disk).getUsableSpace();
    }

    private static void mount(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }
}
