package io.deepsite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnforcementTest {
    private static final List<String> REAP = List.of("/opt/100% deepsite/bin/deepsite", "lease", "reap");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path root;

    @Test
    void aTimerCountsOnceItIsEnabled() throws IOException {
        Files.createDirectories(root.resolve("run/systemd/system"));
        var wants = Files.createDirectories(root.resolve("etc/systemd/system/timers.target.wants"));

        var command = enforcement().install(REAP);

        assertThat(command).hasValueSatisfying(argv -> assertThat(argv).startsWith("systemctl"));
        assertThat(enforcement().current()).isEqualTo(Enforcement.By.NOBODY);
        assertThat(enforcement().install(REAP)).isEqualTo(command);

        Files.createSymbolicLink(
                wants.resolve("deepsite-reap.timer"), Path.of("/etc/systemd/system/deepsite-reap.timer"));

        assertThat(enforcement().current()).isEqualTo(Enforcement.By.SYSTEMD);
        assertThat(enforcement().install(REAP)).isEmpty();
        assertThat(root.resolve("etc/systemd/system/deepsite-reap.service"))
                .content()
                .contains("ExecStart=\"/opt/100%% deepsite/bin/deepsite\" \"lease\" \"reap\"");
    }

    @Test
    void aLineForCronTakesEffectByItself() throws IOException {
        Files.createDirectories(root.resolve("etc/cron.d"));
        Files.createDirectories(root.resolve("run"));
        Files.writeString(root.resolve("run/crond.pid"), "1");

        assertThat(enforcement().install(REAP)).isEmpty();

        assertThat(enforcement().current()).isEqualTo(Enforcement.By.CRON);
        assertThat(root.resolve("etc/cron.d/deepsite-reap"))
                .content()
                .contains("* * * * * root '/opt/100\\% deepsite/bin/deepsite' 'lease' 'reap' >/dev/null");
    }

    @Test
    void nobodyEnforcesWhereNeitherRuns() {
        assertThat(enforcement().install(REAP)).isEmpty();
        assertThat(enforcement().current()).isEqualTo(Enforcement.By.NOBODY);
    }

    private Enforcement enforcement() {
        return new Enforcement(root);
    }
}
