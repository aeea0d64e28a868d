package io.deepsite.cluster;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.apply.RoleFault;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver's faults on a host, simulated by a folder, and their messages. */
class NvidiaToldFaultsTest {
    private static final Site SITE = TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: rich
                    provider: {static: {inventory: hosts.yml}}
                    machines:
                      node:
                        gpus: [{vendor: nvidia, count: 2}]
                        driver: {branch: 535, packages: [nvidia-driver], minimum: 535.104.05}
                    """, Map.of()).orFail();
    private static final Site OF_ONE_VERSION =
            TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: rich
                    provider: {static: {inventory: hosts.yml}}
                    machines:
                      node:
                        gpus: [{vendor: nvidia, count: 2}]
                        driver:
                          branch: 535
                          packages: [nvidia-driver, libcuda1]
                          version: 535.216.03
                          repository:
                            uri: https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/
                            keyFrom: https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/3bf863cc.pub
                            fingerprint: 0123456789ABCDEF0123456789ABCDEF01234567
                    """, Map.of()).orFail();
    private static final Machine.Gpu CARD = new Machine.Gpu("nvidia", "tesla-t4", "0000:17:00.0", "/dev/nvidia0");
    private static final Machine NODE = new Machine(
            "node",
            new Name("node"),
            Optional.empty(),
            "static",
            new Machine.Specs(1, 1024, false, List.of(CARD, CARD)),
            new Machine.Ssh(Optional.of("10.0.1.1"), 22, "root", Optional.empty()));

    @TempDir
    private Path folder;

    private HostScripts host;

    @BeforeEach
    void aHostWithTheDriver() throws Exception {
        host = new HostScripts(folder, SITE, List.of(NODE));
        Files.createDirectories(folder.resolve("sys/module/nvidia"));
        for (var card : List.of("0000:17:00.0", "0000:65:00.0")) {
            Files.createDirectories(folder.resolve("proc/driver/nvidia/gpus").resolve(card));
        }
        modules("Kernel Module  535.183.01");
        host.program("ldconfig", "echo '\tlibcuda.so.1 (libc6,x86-64) => " + folder + "/libcuda.so.1'\n");
        runs("535.183.01", "535.183.01");
    }

    @Test
    void allIsAsTheSiteAsks() throws Exception {
        assertThat(host.run("node", "deepsite-nvidia-driver", "check").err()).isEmpty();
        assertThat(host.run("node", "deepsite-nvidia-driver", "load").exit()).isZero();
    }

    @Test
    void loadsTheModuleWhereNoneIs() throws Exception {
        Files.delete(folder.resolve("sys/module/nvidia/version"));
        host.program("modprobe", "[ $1 = nvidia ] && echo 535.183.01 >" + folder + "/sys/module/nvidia/version\n");

        assertThat(host.run("node", "deepsite-nvidia-driver", "check").exit()).isEqualTo(1);
        assertThat(host.run("node", "deepsite-nvidia-driver", "load").exit()).isZero();
    }

    @Test
    void anUpgradeWithoutARestart() throws Exception {
        runs("535.161.07", "535.183.01");

        told("gpus/DS3250-upgraded-without-a-restart");
    }

    @Test
    void noModule() throws Exception {
        Files.delete(folder.resolve("sys/module/nvidia/version"));

        told("gpus/DS3251-no-module");
    }

    @Test
    void noLibraries() throws Exception {
        host.program("ldconfig", "");

        told("gpus/DS3251-no-libraries");
    }

    @Test
    void anotherBranch() throws Exception {
        runs("550.163.01", "550.163.01");

        told("gpus/DS3251-another-branch");
    }

    @Test
    void olderThanTheMinimum() throws Exception {
        runs("535.54.03", "535.54.03");

        told("gpus/DS3224-below-the-minimum");
    }

    @Test
    void theOtherModules() throws Exception {
        modules("Open Kernel Module for x86_64  535.183.01");

        told("gpus/DS3251-open-modules");
    }

    @Test
    void aCardThatIsNotShown() throws Exception {
        Files.delete(folder.resolve("proc/driver/nvidia/gpus/0000:65:00.0"));

        told("gpus/DS3207-card-that-the-driver-lacks");
    }

    @Test
    void anotherVersionThanTheOneThatIsAsked() throws Exception {
        host = new HostScripts(folder, OF_ONE_VERSION, List.of(NODE));

        told("gpus/DS3251-another-version");
    }

    @Test
    void packagesOfTheVersionThatIsAsked() throws Exception {
        installed("535.216.03-1");

        assertThat(host.run("node", "deepsite-nvidia-packages").err()).isEmpty();

        installed("1:535.216.03-1~deb12u1");

        assertThat(host.run("node", "deepsite-nvidia-packages").exit()).isZero();
    }

    @Test
    void packagesOfAnotherVersion() throws Exception {
        installed("535.183.01-1");

        told("gpus/DS3288-packages-of-another-version", "deepsite-nvidia-packages");
    }

    @Test
    void aFetchedKeyThatIsNotTheOneNamed() throws Exception {
        host = new HostScripts(folder, OF_ONE_VERSION, List.of(NODE));
        Files.copy(Path.of("src/test/resources/golden/faults/gpus/DS3289-another-key/key.asc"), folder.resolve("new"));

        told(
                "gpus/DS3289-another-key",
                "deepsite-nvidia-key",
                "install",
                folder.resolve("new").toString());
        assertThat(folder.resolve("new")).doesNotExist();
    }

    private void installed(String version) throws Exception {
        host = new HostScripts(folder, OF_ONE_VERSION, List.of(NODE));
        host.program("dpkg-query", "printf %s '" + version + "'\n");
    }

    private void modules(String words) throws Exception {
        Files.writeString(
                folder.resolve("proc/driver/nvidia/version"), "NVRM version: NVIDIA UNIX x86_64 " + words + "\n");
    }

    private void runs(String module, String libraries) throws Exception {
        Files.writeString(folder.resolve("sys/module/nvidia/version"), module + "\n");
        Files.deleteIfExists(folder.resolve("libcuda.so.1"));
        Files.createSymbolicLink(
                folder.resolve("libcuda.so.1"), Files.writeString(folder.resolve("libcuda.so." + libraries), ""));
    }

    private void told(String name) throws Exception {
        told(name, "deepsite-nvidia-driver", "check");
    }

    private void told(String name, String script, String... arguments) throws Exception {
        var said = host.run("node", script, arguments);
        var role = script.equals("deepsite-nvidia-driver") ? "nvidia_driver" : "nvidia_packages";

        assertThat(said.exit()).isEqualTo(1);
        assertReads(name, () -> {
            throw new Failure(RoleFault.in(said.err()).stream()
                    .map(fault -> fault.diagnostic(role, "node", Path.of("runs/1/ansible.log")))
                    .toList());
        });
    }
}
