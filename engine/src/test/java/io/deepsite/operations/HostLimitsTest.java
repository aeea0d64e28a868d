package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostLimitsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path root;

    @Test
    void namesWhatIsTooLowAndTheCommandThatRaisesIt() throws IOException {
        set("fs/inotify/max_user_instances", "128");
        set("fs/inotify/max_user_watches", "184000");
        set("kernel/keys/maxkeys", "200");

        var misses = new HostLimits(root).misses();

        assertThat(misses)
                .extracting(HostLimits.Miss::name)
                .containsExactly("fs.inotify.max_user_instances", "kernel.keys.maxkeys");
        assertThat(misses.getFirst().toString()).contains("128");
        assertThat(HostLimits.fix(misses))
                .contains("'fs.inotify.max_user_instances = 1024' 'kernel.keys.maxkeys = 2000'")
                .contains("sysctl -p");
    }

    /** A file of the kernel is not read as others are: its second read ends. No kernel has less than 8192 by default. */
    @Test
    void readsTheWholeNumberOfARealKernel() {
        assertThat(new HostLimits(Path.of("/")).read("fs.inotify.max_user_watches"))
                .isGreaterThan(1000);
    }

    @Test
    void aLimitThatThisKernelDoesNotHaveIsNotTooLow() {
        assertThat(new HostLimits(root).misses()).isEmpty();
    }

    private void set(String name, String value) throws IOException {
        var file = root.resolve("proc/sys").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, value + "\n");
    }
}
