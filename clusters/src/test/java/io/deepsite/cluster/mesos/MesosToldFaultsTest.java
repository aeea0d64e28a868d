package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.deepsite.cluster.FailingTool;
import io.deepsite.cluster.HostScripts;
import io.deepsite.provider.Machine;
import io.deepsite.remote.Executable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
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
    void anAgentThatDoesNotAnswer() throws Exception {
        nvidiaSmi("echo 390.30\necho 390.30\n");
        Executable.write(folder.resolve("journalctl"), """
                #!/bin/sh
                echo 'I1125 10:18:14.568286   674 main.cpp:546] Version: 1.12.0'
                echo 'E1125 10:18:15.013190   674 main.cpp:677] EXIT with status 1: Failed to fetch the credential'
                echo 'mesos-agent.service: Main process exited, code=exited, status=1/FAILURE'
                """);

        told("mesos/DS3238-no-agent", "mesos_agent", "gpu-1", "deepsite-mesos-agent", "wait");
    }

    @Test
    void anAgentThatOffersFewerCards() throws Exception {
        nvidiaSmi("echo 390.30\necho 390.30\n");
        try (var agent = new Agent("{\"master_hostname\": \"10.0.0.1\", \"resources\": {\"gpus\": 1.0}}")) {
            told("mesos/DS3225-no-offer", "", "mesos_agent", "gpu-1", "deepsite-mesos-agent", "wait", agent.port());
        }
    }

    @Test
    void anAgentThatNoMasterHasRegistered() throws Exception {
        nvidiaSmi("echo 390.30\necho 390.30\n");
        Executable.write(folder.resolve("journalctl"), "#!/bin/sh\n");
        try (var agent = new Agent("{\"resources\": {\"gpus\": 2.0}}")) {
            told("mesos/DS3238-no-master", "", "mesos_agent", "gpu-1", "deepsite-mesos-agent", "wait", agent.port());
        }
    }

    @Test
    void anAgentOfAReleaseWithoutTheHostsCgroups() throws Exception {
        unified();
        Executable.write(folder.resolve("mesos-agent"), "#!/bin/sh\necho mesos 1.11.0\n");

        told("mesos/DS3237-cgroups", "mesos_agent", "agent-1", "deepsite-mesos-agent", "wait");
    }

    @Test
    void anAgentThatCannotBeExecuted() throws Exception {
        unified();
        Executable.write(
                folder.resolve("mesos-agent"),
                "#!/bin/sh\necho 'mesos-agent: error while loading shared libraries: libsvn_delta-1.so.1' >&2\nexit 127\n");

        told("mesos/DS3238-no-program", "mesos_agent", "agent-1", "deepsite-mesos-agent", "wait");
    }

    @Test
    void aLibraryThatTheHostLacks() throws Exception {
        Executable.write(
                folder.resolve("ldd"),
                "#!/bin/sh\nprintf '\\tlibz.so.1 => /lib/libz.so.1 (0x0)\\n\\tlibgrpc.so.29 => not found\\n'\n");
        var archive = archive("sbin/mesos-master", "lib/libmesos-1.12.0.so");
        software(sum(archive));
        Files.copy(archive, folder.resolve("cache/mesos"));

        told("mesos/DS3222-a-library", "mesos_software", "agent-1", "deepsite-mesos-software", "install");
        assertThat(folder.resolve("opt")).isEmptyDirectory();
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

    /** cgroup v2 only, as Debian 12 boots. */
    private void unified() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("cgroup")).resolve("cgroup.controllers"), "cpu\n");
    }

    private Path archive(String... names) throws Exception {
        var source = folder.resolve("source");
        for (var name : names) {
            Files.createDirectories(source.resolve(name).getParent());
            Files.writeString(source.resolve(name), "");
        }
        var archive = folder.resolve("mesos.tar");
        assertThat(new ProcessBuilder("tar", "-cf", archive.toString(), "-C", source.toString(), ".")
                        .start()
                        .waitFor())
                .isZero();
        return archive;
    }

    private static String sum(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    /** An agent that gives one answer. */
    private static final class Agent implements AutoCloseable {
        private final HttpServer server;

        Agent(String answer) throws Exception {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/state", exchange -> {
                exchange.sendResponseHeaders(200, answer.length());
                exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
                exchange.close();
            });
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private void nvidiaSmi(String body) throws Exception {
        Executable.write(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + body);
    }

    private void told(String name, String role, String host, String script, String argument) throws Exception {
        told(name, "", role, host, script, argument);
    }

    private void told(String name, String keys, String role, String host, String script, String argument)
            throws Exception {
        // Nothing listens at port 9.
        told(name, keys, role, host, script, argument, 9);
    }

    /**
     * @param keys more lines of the cluster
     * @param port of the host's agent
     */
    private void told(String name, String keys, String role, String host, String script, String argument, int port)
            throws Exception {
        var machines = MesosSite.machines(1).stream()
                .map(machine -> at(machine, "127.0.0.1"))
                .toList();
        var text = new HostScripts(folder, MesosSite.site(1, keys), machines)
                .of(host)
                .get(script)
                .replace("/opt/mesos/sbin/mesos-agent", "mesos-agent")
                .replace("PORT = 5051", "PORT = " + port);
        var environment = Map.of(
                "DEEPSITE_MESOS_OPT", folder.resolve("opt").toString(),
                "DEEPSITE_MESOS_CACHE", folder.resolve("cache").toString(),
                "DEEPSITE_MESOS_SOFTWARE", folder.resolve("software.json").toString(),
                "DEEPSITE_CGROUPS", folder.resolve("cgroup").toString(),
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
