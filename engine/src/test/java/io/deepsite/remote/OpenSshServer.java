package io.deepsite.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.deepsite.state.OpenSshKey;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.WaitingConsumer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A real OpenSSH server in a container of the image that {@code testbed/containers/up} made. It lets one key in: root, {@code admin},
 * who needs no password for sudo, and {@code asked}, whom sudo asks.
 */
final class OpenSshServer extends GenericContainer<OpenSshServer> {
    private static final int OF_ITS_OWNER = 0600;
    private static final int FOR_ALL = 0644;
    private static final String HOST_KEY = "/etc/ssh/ssh_host_ed25519_key";
    private static final String LISTENING = "Server listening on ";
    private static final String LOGINS = "/etc/ssh/logins";

    final OpenSshKey hostKey = OpenSshKey.generate("host", new SecureRandom());
    private final OpenSshKey login;
    private final Path keyFile;
    private final int port;

    /** @param options of sshd, in the form of sshd_config */
    OpenSshServer(OpenSshKey login, Path keyFile, String... options) {
        this(login, keyFile, 22, options);
        withExposedPorts(22);
    }

    private OpenSshServer(OpenSshKey login, Path keyFile, int port, String... options) {
        super(DockerImageName.parse("deepsite-sshd:testbed"));
        this.login = login;
        this.keyFile = keyFile;
        this.port = port;
        withImagePullPolicy(_ -> false);
        withCopyToContainer(file(hostKey.privateKey().reveal(), OF_ITS_OWNER), HOST_KEY);
        withCopyToContainer(file(login.publicLine() + "\n", FOR_ALL), LOGINS);
        var words = new ArrayList<>(List.of("/usr/sbin/sshd", "-D", "-e", "-p", Integer.toString(port)));
        Stream.concat(Stream.of("HostKey=" + HOST_KEY, "AuthorizedKeysFile=" + LOGINS), Stream.of(options))
                .forEach(option -> words.addAll(List.of("-o", option)));
        withCommand(words.toArray(String[]::new));
        waitingFor(Wait.forLogMessage(".*" + LISTENING + ".*", 1));
    }

    /** One that listens at the loopback address of another, at port 2222, and is reached from nowhere else. */
    static OpenSshServer inside(OpenSshServer other) {
        var inside = new OpenSshServer(other.login, other.keyFile, 2222, "ListenAddress=127.0.0.1");
        inside.withNetworkMode("container:" + other.getContainerId());
        return inside;
    }

    SshTarget target(String user) {
        return target(user, hostKey);
    }

    /** @param trusted the host key that the client expects */
    SshTarget target(String user, OpenSshKey trusted) {
        return new SshTarget("server", getHost(), published(), user, HostKey.parse(trusted.publicLine()), keyFile);
    }

    /** How one that is {@link #inside} another is reached. */
    SshTarget through(SshTarget hop) {
        return new SshTarget(
                "inside", "127.0.0.1", port, "root", HostKey.parse(hostKey.publicLine()), keyFile, Optional.of(hop));
    }

    /** The first line of its log that contains these words; waits for it. */
    String logged(String words) throws TimeoutException {
        var found = new AtomicReference<String>();
        var log = new WaitingConsumer();
        followOutput(log);
        log.waitUntil(
                line -> {
                    var text = line.getUtf8String();
                    return text.contains(words) && found.compareAndSet(null, text);
                },
                1,
                TimeUnit.HOURS);
        return found.get();
    }

    /** Ends it like a machine that loses its power. */
    void lose() {
        getDockerClient().killContainerCmd(getContainerId()).exec();
    }

    /** Its log goes on with what it said before: a line for each address family, at each start. */
    void startAgain() throws TimeoutException {
        int before =
                (int) getLogs().lines().filter(line -> line.contains(LISTENING)).count();
        var started = new WaitingConsumer();
        getDockerClient().startContainerCmd(getContainerId()).exec();
        followOutput(started);
        started.waitUntil(line -> line.getUtf8String().contains(LISTENING), 1, TimeUnit.HOURS, before + 1);
    }

    /** The port changes with each start. */
    private int published() {
        var bindings = getDockerClient()
                .inspectContainerCmd(getContainerId())
                .exec()
                .getNetworkSettings()
                .getPorts()
                .getBindings();
        return bindings.values().stream()
                .flatMap(Stream::of)
                .mapToInt(binding -> Integer.parseInt(binding.getHostPortSpec()))
                .findFirst()
                .orElseThrow();
    }

    private static Transferable file(String text, int mode) {
        return Transferable.of(text.getBytes(UTF_8), mode);
    }
}
