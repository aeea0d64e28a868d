package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.FailingTool;
import io.deepsite.cluster.HostScripts;
import io.deepsite.provider.Machine;
import io.deepsite.remote.Executable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that only the scripts on a Mesos cluster's host can detect; everything runs on this machine. */
class MesosToldFaultsTest {
    private static final String OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    @TempDir
    private Path folder;

    @BeforeEach
    void folders() throws Exception {
        Files.createDirectories(folder.resolve("opt"));
        Files.createDirectories(folder.resolve("cache"));
        Files.writeString(
                folder.resolve("http-credentials"),
                "{\"credentials\": [{\"principal\": \"admin\", \"secret\": \"word\"}]}");
    }

    @Test
    void aDownloadOfAnotherChecksum() throws Exception {
        software("0123456789abcdef".repeat(4));
        Files.writeString(folder.resolve("cache/mesos"), "");

        told("mesos/DS3221-another-archive", "mesos_software", "agent-1", "deepsite-mesos-software", "install");
        assertThat(folder.resolve("opt")).isEmptyDirectory();
    }

    @Test
    void anArchiveThatIsNone() throws Exception {
        software(OF_NOTHING);
        Files.writeString(folder.resolve("cache/mesos"), "");

        told("mesos/DS3222-an-empty-archive", "mesos_software", "agent-1", "deepsite-mesos-software", "install");
        assertThat(folder.resolve("opt")).isEmptyDirectory();
    }

    @Test
    void aZooKeeperWithoutTheOthers() throws Exception {
        told("mesos/DS3223-nobody-votes", "zookeeper", "master-1", "deepsite-zookeeper", "wait");
    }

    @Test
    void cardsThatADriverDoesNotShow() throws Exception {
        nvidiaSmi("echo 'No devices were found'\n");

        told("mesos/DS3207-no-card-for-mesos", "mesos_agent", "gpu-1", "deepsite-mesos-agent", "wait");
    }

    @Test
    void aDriverThatMesosCannotUse() throws Exception {
        nvidiaSmi("echo 340.24\necho 340.24\n");

        told("mesos/DS3224-driver-of-before", "mesos_agent", "gpu-1", "deepsite-mesos-agent", "wait");
    }

    @Test
    void anAgentThatOffersNone() throws Exception {
        nvidiaSmi("echo 390.30\necho 390.30\n");

        told("mesos/DS3225-no-offer", "mesos_agent", "gpu-1", "deepsite-mesos-agent", "wait");
    }

    @Test
    void anUnreachableIdentityProvider() throws Exception {
        var keys = MesosSite.FRAMEWORKS + MesosSite.OIDC.replace("https://iam.example.org", "https://127.0.0.1:9");

        told("mesos/DS3228-nobody-answers", keys, "oidc_proxy", "lb", "deepsite-oidc-proxy", "provider");
    }

    @Test
    void aCertificateThatIsNotThere() throws Exception {
        var keys = MesosSite.FRAMEWORKS + MesosSite.OIDC
                + "  certificate: {file: /nowhere/tls.crt, key: /nowhere/tls.key}\n";

        told("mesos/DS3229-no-certificate", keys, "oidc_proxy", "lb", "deepsite-oidc-proxy", "certificate");
    }

    private void software(String sum) throws Exception {
        Files.writeString(folder.resolve("software.json"), """
                [{"name": "mesos", "source": "https://files.example.org/mesos.tar.gz", "sha256": "%s",
                  "holds": ["sbin/mesos-master"], "units": []}]""".formatted(sum));
    }

    private void nvidiaSmi(String body) throws Exception {
        Executable.write(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + body);
    }

    private void told(String name, String role, String host, String script, String argument) throws Exception {
        told(name, "", role, host, script, argument);
    }

    /** @param keys more lines of the cluster */
    private void told(String name, String keys, String role, String host, String script, String argument)
            throws Exception {
        var machines = MesosSite.machines(1).stream()
                .map(machine -> at(machine, "127.0.0.1"))
                .toList();
        var text = new HostScripts(folder, MesosSite.site(1, keys), machines)
                .of(host)
                .get(script);
        var environment = Map.of(
                "DEEPSITE_MESOS_OPT", folder.resolve("opt").toString(),
                "DEEPSITE_MESOS_CACHE", folder.resolve("cache").toString(),
                "DEEPSITE_MESOS_SOFTWARE", folder.resolve("software.json").toString(),
                "DEEPSITE_MESOS_CREDENTIALS", folder.resolve("http-credentials").toString(),
                "DEEPSITE_MESOS_PATIENCE", "0",
                "DEEPSITE_ZOOKEEPER_PATIENCE", "0");
        new FailingTool(folder, role, host, text, environment).fails(name, argument);
    }

    private static Machine at(Machine machine, String address) {
        return new Machine(
                machine.name(),
                machine.group(),
                machine.resource(),
                machine.provider(),
                machine.specs(),
                new Machine.Ssh(Optional.of(address), machine.port(), machine.user(), machine.hostKey()));
    }
}
