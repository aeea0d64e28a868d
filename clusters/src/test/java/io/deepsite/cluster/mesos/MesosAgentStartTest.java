package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.HostScripts;
import io.deepsite.remote.Executable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With which flags the unit's tool starts an agent; a script that prints its environment replaces the agent. */
class MesosAgentStartTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void anAgent() throws Exception {
        release("1.12.0");
    }

    @Test
    void onCgroupV1AsItsFileSays() throws Exception {
        var started = started(0);

        assertThat(started).contains("LD_LIBRARY_PATH=/opt/mesos/lib\n");
        assertThat(started).doesNotContain("SYSTEMD");
        assertThat(folder.resolve("cgroup/mesos")).doesNotExist();
    }

    @Test
    void onCgroupV2WithoutSystemd() throws Exception {
        unified();

        assertThat(started(0)).contains("MESOS_SYSTEMD_ENABLE_SUPPORT=false\n");
        assertThat(folder.resolve("cgroup/mesos")).isDirectory();
    }

    @Test
    void aReleaseThatKnowsOnlyCgroupV1IsNotTriedAgain() throws Exception {
        release("1.11.0");
        assertThat(started(0)).contains("LD_LIBRARY_PATH=");

        unified();

        assertThat(started(78)).startsWith("FAULT\tDS3237\t");
        assertThat(MesosFiles.on(MesosSite.site(1, ""), MesosSite.machines(1), "agent-1")
                        .get("/etc/systemd/system/mesos-agent.service"))
                .contains("RestartPreventExitStatus=78\n");
    }

    @Test
    void besideCgroupV1AndV2OnlyAReleaseOfV1() throws Exception {
        Files.writeString(
                Files.createDirectories(folder.resolve("cgroup/unified")).resolve("cgroup.controllers"), "\n");

        assertThat(started(78)).startsWith("FAULT\tDS3237\t").contains("ends unless it finds only one of them");

        release("1.11.0");
        assertThat(started(0)).contains("LD_LIBRARY_PATH=").doesNotContain("SYSTEMD");
    }

    /** The library of a driver that is gone would end it again and again. */
    @Test
    void withCardsItWaitsForTheDriver() throws Exception {
        Executable.write(folder.resolve("nvidia-smi"), """
                #!/bin/sh
                echo tried >>tries
                if [ "$(wc -l <tries)" -gt 2 ]; then echo 390.30; echo 390.30; else echo No devices were found; fi
                """);

        assertThat(started("gpu-1", 0))
                .startsWith("FAULT\tDS3207\tnvidia-smi on gpu-1 shows no card: No devices were found\t")
                .containsOnlyOnce("DS3207")
                .contains("LD_LIBRARY_PATH=/opt/mesos/lib\n");
    }

    private void release(String release) throws Exception {
        Executable.write(
                folder.resolve("mesos-agent"),
                "#!/bin/sh\nif [ \"$1\" = --version ]; then echo mesos " + release + "; else env; fi\n");
    }

    private void unified() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("cgroup")).resolve("cgroup.controllers"), "cpu\n");
    }

    private String started(int exit) throws Exception {
        return started("agent-1", exit);
    }

    private String started(String host, int exit) throws Exception {
        var tool = new HostScripts(folder, MesosSite.site(1, ""), MesosSite.machines(1))
                .of(host)
                .get("deepsite-mesos-agent")
                .replace(
                        "/opt/mesos/sbin/mesos-agent",
                        folder.resolve("mesos-agent").toString());
        var builder = new ProcessBuilder(
                "/usr/bin/python3",
                Files.writeString(folder.resolve("tool"), tool).toString(),
                "start");
        builder.directory(folder.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment().put("DEEPSITE_MESOS_PAUSE", "0");
        builder.environment().put("DEEPSITE_CGROUPS", folder.resolve("cgroup").toString());
        var process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();

        assertThat(process.waitFor()).isEqualTo(exit);
        return Files.readString(folder.resolve("said"));
    }
}
