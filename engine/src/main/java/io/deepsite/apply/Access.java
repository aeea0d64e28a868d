package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.SshKeys;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.SshAccess;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.SecretKind;
import io.deepsite.state.SecretStore;
import io.deepsite.state.StateFolder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the hosts of a site are reached. A machine that deepsite makes gets its host key and deepsite's login key before its
 * first start, so the first packet to it is already checked; of a host that existed before, the inventory tells the key.
 */
public final class Access {
    private static final String HOST_KEY = "host_key_";
    private static final String SSHD = """
            # Made by deepsite: keys only.
            HostKey /etc/ssh/ssh_host_ed25519_key
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            """;

    private final SecretStore secrets;
    private final StateFolder folder;
    private final String site;
    private final SshAccess ssh;
    private final Path userHome;

    public Access(SecretStore secrets, StateFolder folder, String site, SshAccess ssh, Path userHome) {
        this.secrets = secrets;
        this.folder = folder;
        this.site = site;
        this.ssh = ssh;
        this.userHome = userHome;
    }

    /** The SSH host keys that machines have before their first start, as secrets by name. */
    public static Map<String, SecretKind> hostKeys(Collection<String> machines) {
        var keys = new TreeMap<String, SecretKind>();
        machines.forEach(machine -> keys.put(hostKeyName(machine), new SecretKind.SshKeyPair(machine)));
        return keys;
    }

    /** What a machine has before its first start. Makes its key, if it is missing. */
    public Boot boot(String machine) {
        var key = OpenSshKey.of(secrets.ensure(hostKeyName(machine), new SecretKind.SshKeyPair(machine)));
        return new Boot(List.of(
                new BootFile(
                        "/etc/ssh/ssh_host_ed25519_key", 0600, key.privateKey().reveal()),
                new BootFile("/etc/ssh/ssh_host_ed25519_key.pub", 0644, key.publicLine() + "\n"),
                new BootFile("/etc/ssh/sshd_config.d/10-deepsite.conf", 0644, SSHD),
                new BootFile(
                        "/root/.ssh/authorized_keys",
                        0600,
                        SshKeys.login(folder, site).publicLine() + "\n")));
    }

    /** Whether the vault holds the host key that deepsite made for the machine. */
    public boolean knows(String machine) {
        return secrets.find(hostKeyName(machine)).isPresent();
    }

    /** @throws Failure when nothing tells the host's key: deepsite never trusts a first answer */
    public SshTarget target(Machine machine) {
        var hostKey = machine.resource().isPresent()
                ? secrets.find(hostKeyName(machine.name()))
                        .map(key -> OpenSshKey.of(key).publicLine())
                : machine.hostKey();
        var address = machine.address();
        if (hostKey.isEmpty() || address.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.HOST_KEY_UNKNOWN,
                    "The " + (address.isEmpty() ? "address" : "SSH host key") + " of " + machine.name()
                            + " is not known.",
                    machine.resource().isPresent()
                            ? "The site's vault does not hold the key it was made with. Take the machines over again:"
                            : "Write it into the inventory as deepsite_host_key, or log in once and check its fingerprint.",
                    machine.resource().isPresent()
                            ? "deepsite adopt"
                            : "ssh-keyscan -t ed25519 " + address.orElse(machine.name())));
        }
        return target(
                machine.name(),
                address.get(),
                machine.port(),
                machine.user(),
                hostKey.get(),
                machine.resource().isPresent());
    }

    public SshTarget target(String name, RecordedHost host) {
        var key = host.hostKey();
        if (key == null) {
            throw new Failure(Diagnostic.error(
                    Code.HOST_KEY_UNKNOWN,
                    "No host key of " + name + " is recorded.",
                    "Take the site over again:",
                    "deepsite adopt"));
        }
        return target(
                name,
                host.address(),
                host.port(),
                host.user(),
                key,
                secrets.find(hostKeyName(name)).isPresent());
    }

    private SshTarget target(String name, String address, int port, String user, String hostKey, boolean made) {
        return new SshTarget(
                name, address, port, user, HostKey.parse(hostKey), made ? SshKeys.loginFile(folder) : ownKey());
    }

    /** The user's key for hosts that deepsite did not make. */
    private Path ownKey() {
        return ssh.key()
                .map(key -> key.startsWith("~/") ? userHome.resolve(key.substring(2)) : Path.of(key))
                .orElse(userHome.resolve(".ssh/id_ed25519"));
    }

    /** Whether the vault keeps a machine's SSH host key under this name. */
    public static boolean isHostKey(String secret) {
        return secret.startsWith(HOST_KEY);
    }

    static String hostKeyName(String machine) {
        return HOST_KEY + machine.replace('-', '_');
    }
}
