package io.deepsite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

        assertThat(enforcement().current()).isEqualTo(Enforcement.By.GONE);
        program();
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
        Files.writeString(root.resolve("run/crond.pid"), "1\n");
        Files.writeString(Files.createDirectories(root.resolve("proc/1")).resolve("comm"), "cron\n");
        program();

        assertThat(enforcement().install(REAP)).isEmpty();

        assertThat(enforcement().current()).isEqualTo(Enforcement.By.CRON);
        assertThat(root.resolve("etc/cron.d/deepsite-reap"))
                .content()
                .contains("* * * * * root '/opt/100\\% deepsite/bin/deepsite' 'lease' 'reap' >/dev/null");

        Files.delete(root.resolve(REAP.getFirst().substring(1)));
        assertThat(enforcement().current()).isEqualTo(Enforcement.By.GONE);
        Files.delete(root.resolve("proc/1/comm"));
        assertThat(enforcement().current()).isEqualTo(Enforcement.By.NOBODY);
    }

    @Test
    void theReaperOfAnotherMachineFindsItsLogin() throws IOException {
        Files.createDirectories(root.resolve("etc/cron.d"));
        Files.createDirectories(root.resolve("run"));
        Files.writeString(root.resolve("run/crond.pid"), "1\n");
        Files.writeString(Files.createDirectories(root.resolve("proc/1")).resolve("comm"), "cron\n");
        program();
        var cloud = Enforcement.ofOther(
                root,
                "openstack-lab",
                new TreeMap<>(Map.of("OS_CLIENT_CONFIG_FILE", "/home/admin/100% mine/clouds.yaml")));

        cloud.install(REAP);

        assertThat(cloud.current()).isEqualTo(Enforcement.By.CRON);
        assertThat(root.resolve("etc/cron.d/deepsite-reap-openstack-lab"))
                .content()
                .contains("\nOS_CLIENT_CONFIG_FILE=\"/home/admin/100% mine/clouds.yaml\"\n* * * * * root");

        Files.createDirectories(root.resolve("run/systemd/system"));
        Files.createDirectories(root.resolve("etc/systemd/system"));
        cloud.install(REAP);

        assertThat(root.resolve("etc/systemd/system/deepsite-reap-openstack-lab.service"))
                .content()
                .contains("\nEnvironment=\"OS_CLIENT_CONFIG_FILE=/home/admin/100%% mine/clouds.yaml\"\nExecStart=");
    }

    @Test
    void cronReadsTheFileOfEveryProject() {
        assertThat(ofProject("lab-1").unit()).isEqualTo("deepsite-reap-lab-1");
        assertThat(ofProject("v1.2").unit()).isEqualTo("deepsite-reap-v1_2e2");
        assertThat(ofProject("v1_2").unit()).isEqualTo("deepsite-reap-v1_5f2");
    }

    private Enforcement ofProject(String project) {
        return Enforcement.ofThisHost(root, "lxd", Optional.of(project));
    }

    @Test
    void lxdAndIncusOnOneHostHaveTimersOfTheirOwn() throws IOException {
        program();
        Files.createDirectories(root.resolve("etc/cron.d"));
        Files.createDirectories(root.resolve("run"));
        Files.writeString(root.resolve("run/crond.pid"), "1\n");
        Files.writeString(Files.createDirectories(root.resolve("proc/1")).resolve("comm"), "cron\n");
        var lxd = Enforcement.ofThisHost(root, "lxd", Optional.empty());
        var incus = Enforcement.ofThisHost(root, "incus", Optional.empty());

        assertThat(incus.unit())
                .isNotEqualTo(lxd.unit())
                .isNotEqualTo(ofProject("incus").unit())
                .isNotEqualTo(Enforcement.ofThisHost(root, "incus", Optional.of("lab"))
                        .unit());
        assertThat(Enforcement.onThisHost(root)).isEqualTo(Enforcement.By.NOBODY);
        incus.install(REAP);
        assertThat(lxd.current()).isEqualTo(Enforcement.By.NOBODY);
        assertThat(incus.current()).isEqualTo(Enforcement.By.CRON);
        assertThat(Enforcement.onThisHost(root)).isEqualTo(Enforcement.By.CRON);
    }

    @Test
    void theReaperRunsFromACopyThatOutlivesTheFolder() throws IOException {
        var home = root.resolve("checkout");
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("bin/deepsite"), "#!/bin/sh\n");

        var copy = new ReaperCopy(root).of(home, "build 1");
        var next = new ReaperCopy(root).of(home, "build 2");

        assertThat(copy.resolve("bin/deepsite")).hasContent("#!/bin/sh\n").isNotEqualTo(next);
        assertThat(copy).startsWith(root.resolve("var/lib/deepsite/reaper"));
        assertThat(new ReaperCopy(root).of(home, "build 1")).isEqualTo(copy);
        new ReaperCopy(root).keepOnly(List.of("ExecStart=\"" + next + "/bin/deepsite\""));
        assertThat(copy).doesNotExist();
        assertThat(next).exists();
    }

    private void program() throws IOException {
        var file = root.resolve(REAP.getFirst().substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void nothingEnforcesWhereNeitherRuns() {
        assertThat(enforcement().install(REAP)).isEmpty();
        assertThat(enforcement().current()).isEqualTo(Enforcement.By.NOBODY);
    }

    private Enforcement enforcement() {
        return new Enforcement(root);
    }
}
