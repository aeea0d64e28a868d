package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults of operation as stories: {@code stderr.txt} is what the admin reads, {@code story.txt} lists every command with its
 * exit code and what it left. Most end with the cause fixed and an apply that continues.
 */
class FaultGoldenTest {
    static final Path CASES = Path.of("src/test/resources/golden/faults");

    @TempDir
    private Path folder;

    /** The host of a story is this machine, really probed: it must not have the user that the story creates. */
    @BeforeAll
    static void nobodyHereIsTheUserOfAStory() throws IOException {
        assertThat(Files.readString(Path.of("/etc/passwd")))
                .as("userdel --remove deepsite-fault; userdel --remove deepsite-heir")
                .doesNotContain("deepsite-fault", "deepsite-heir");
    }

    static List<FaultCase> cases() {
        return Stream.of(
                        LxdFaults.cases(),
                        HostFaults.cases(),
                        StateFaults.cases(),
                        PlanFaults.cases(),
                        RoleFileFaults.cases(),
                        CertificateFaults.cases(),
                        UserFaults.cases())
                .flatMap(List::stream)
                .toList();
    }

    @Execution(ExecutionMode.CONCURRENT)
    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void reportsTheFaultAndResumesOnceItIsFixed(FaultCase fault) throws Exception {
        play(fault, folder);
    }

    static void play(FaultCase fault, Path folder) throws Exception {
        try (var story = new FaultStory(folder)) {
            fault.script().play(story);

            if (fault.name().contains("/DS")) {
                assertThat(story.stderr()).contains(" " + Golden.code(fault.name()) + ": ");
            }
            Golden.assertSame(CASES.resolve(fault.name()).resolve("stderr.txt"), story.stderr());
            Golden.assertSame(CASES.resolve(fault.name()).resolve("story.txt"), story.told());
        }
    }
}
