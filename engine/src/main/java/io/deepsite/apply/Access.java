package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.LoginKey;
import io.deepsite.remote.SshTarget;
import io.deepsite.site.SshAccess;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedSize;
import io.deepsite.state.SecretKind;
import io.deepsite.state.SecretStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * How to reach the hosts of a site. A machine that deepsite makes gets its host key and deepsite's login key before its
 * first start, so the first connection is already verified; the inventory gives the key of a host that existed before.
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
    private final LoginKey loginKey;
    private final SshAccess ssh;
    private final KeyFiles keys;
    private final JumpHost jump;
    private final Map<String, String> outside = new ConcurrentHashMap<>();

    /** @param siteFolder that of site.yaml, against which relative names of key files resolve */
    public Access(SecretStore secrets, LoginKey loginKey, SshAccess ssh, Path siteFolder, Path userHome) {
        this.secrets = secrets;
        this.loginKey = loginKey;
        this.ssh = ssh;
        this.keys = new KeyFiles(siteFolder, userHome);
        this.jump = new JumpHost(ssh, keys, userHome);
    }

    /** The jump host of site.yaml. */
    public Optional<SshTarget> jumpHost() {
        return jump.target();
    }

    /** The kinds of the machines' initial SSH host keys, by secret name. */
    public static Map<String, SecretKind> hostKeys(Collection<String> machines) {
        var keys = new TreeMap<String, SecretKind>();
        machines.forEach(machine -> keys.put(hostKeyName(machine), new SecretKind.SshKeyPair(machine)));
        return keys;
    }

    /**
     * The keys to inject into a machine before its first start. Generates a host key if there is none, or if the known
     * one was made by an earlier machine of this name and is lost with it.
     */
    public Boot boot(String machine) {
        var name = hostKeyName(machine);
        var kind = new SecretKind.SshKeyPair(machine);
        var kept = HostIdentity.of(secrets.ensure(name, kind));
        if (kept.own().isPresent()) {
            secrets.put(name, kind.generate(new SecureRandom()));
        }
        return placed(machine);
    }

    /** The injected keys of an existing machine; without its host key if it made its own. */
    public Boot placed(String machine) {
        var files = new ArrayList<BootFile>();
        identity(machine).flatMap(HostIdentity::injected).ifPresent(key -> {
            files.add(new BootFile(
                    "/etc/ssh/ssh_host_ed25519_key", 0600, key.privateKey().reveal()));
            files.add(new BootFile("/etc/ssh/ssh_host_ed25519_key.pub", 0644, key.publicLine() + "\n"));
        });
        files.add(new BootFile("/etc/ssh/sshd_config.d/10-deepsite.conf", 0644, SSHD));
        files.add(loginKeys());
        return new Boot(files);
    }

    /** For a resource that is no machine: the login keys. */
    Boot boot() {
        return new Boot(List.of(loginKeys()));
    }

    private BootFile loginKeys() {
        return new BootFile(Boot.LOGIN_KEYS, 0600, loginKey.ensure().publicLine() + "\n");
    }

    /** Sets the address of a machine, which was unknown at plan time because its creation chose it. */
    public void reachedAt(String machine, String address) {
        outside.put(machine, address);
    }

    private Optional<HostIdentity> identity(String machine) {
        return secrets.find(hostKeyName(machine)).map(HostIdentity::of);
    }

    /** Whether the machine made its own host key, and has no other any more. */
    public boolean hasOwnKey(String machine) {
        return identity(machine).filter(HostIdentity::isItsOwn).isPresent();
    }

    /** The key that the machine made but may not use yet. */
    Optional<HostKey> changingTo(String machine) {
        return identity(machine).flatMap(HostIdentity::own);
    }

    /** From now on the machine's own key is accepted as well. */
    void changeKey(String machine, HostKey own) {
        keep(machine, identity(machine).orElseThrow().changingTo(own));
    }

    /** From now on only the machine's own key is accepted. */
    void keyChanged(String machine) {
        keep(machine, identity(machine).orElseThrow().changed());
    }

    private void keep(String machine, HostIdentity identity) {
        secrets.put(hostKeyName(machine), identity.kept());
    }

    /** Whether the vault has a host key that deepsite made for this machine. */
    public boolean knows(String machine) {
        return secrets.find(hostKeyName(machine)).isPresent();
    }

    /**
     * @param site the machines of the site by name, for machines that are jump hosts
     * @throws Failure if the host's key is unknown: deepsite never trusts on first use
     */
    public SshTarget target(Machine machine, Map<String, Machine> site) {
        var identity = machine.resource().flatMap(_ -> identity(machine.name()));
        var hostKey = machine.resource().isPresent()
                ? identity.map(HostIdentity::key)
                : machine.hostKey().map(HostKey::parse);
        var address = Optional.ofNullable(outside.get(machine.name()))
                .or(machine::outside)
                .or(machine::address);
        if (hostKey.isEmpty() || address.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.HOST_KEY_UNKNOWN,
                    "The " + (address.isEmpty() ? "address" : "SSH host key") + " of " + machine.name()
                            + " is not known.",
                    machine.resource().isPresent()
                            ? "The site's vault does not hold the key it was made with. Adopt the machines again:"
                            : "Write it into the inventory as deepsite_host_key, or log in once and check its"
                                    + " fingerprint.",
                    machine.resource().isPresent()
                            ? "deepsite adopt"
                            : "ssh-keyscan -t ed25519 " + address.orElse(machine.name())));
        }
        return new SshTarget(
                machine.name(),
                address.get(),
                machine.port(),
                machine.user(),
                hostKey.get(),
                keyFile(machine.resource().isPresent()),
                machine.via()
                        .map(via -> target(known(site, via, machine.name()), site))
                        .or(jump::target),
                identity.flatMap(HostIdentity::otherKey));
    }

    /** @param site the recorded hosts by name, this one among them */
    public SshTarget target(String name, Map<String, RecordedHost> site) {
        return target(name, site, this::identity, host -> identity(host).isPresent());
    }

    /**
     * As {@link #target(String, Map)} but without opening the vault; correct for a host that is not changing its key.
     *
     * @param made whether deepsite made a host, which its own login key then opens
     */
    public SshTarget recordedTarget(String name, Map<String, RecordedHost> site, Predicate<String> made) {
        return target(name, site, _ -> Optional.empty(), made);
    }

    private SshTarget target(
            String name,
            Map<String, RecordedHost> site,
            Function<String, Optional<HostIdentity>> identities,
            Predicate<String> made) {
        var host = known(site, name, name);
        var key = host.hostKey();
        if (key == null) {
            throw new Failure(Diagnostic.error(
                    Code.HOST_KEY_UNKNOWN,
                    "No host key of " + name + " is recorded.",
                    "Adopt the site again:",
                    "deepsite adopt"));
        }
        var recorded = HostKey.parse(key);
        // The vault may hold the key of a deleted machine of this name.
        var known = identities.apply(name).filter(kept -> kept.shows(recorded));
        return new SshTarget(
                name,
                host.address(),
                host.port(),
                host.user(),
                known.map(HostIdentity::key).orElse(recorded),
                keyFile(made.test(name)),
                Optional.ofNullable(host.via())
                        .map(via -> {
                            known(site, via, name);
                            return target(via, site, identities, made);
                        })
                        .or(jump::target),
                known.flatMap(HostIdentity::otherKey));
    }

    /** The record of a host before anything is configured on it. */
    public RecordedHost recorded(Machine machine, Map<String, Machine> site) {
        var target = target(machine, site);
        return new RecordedHost(
                target.address(),
                target.port(),
                target.user(),
                target.hostKey().line(),
                machine.via().orElse(null),
                false,
                machine.resource().isPresent()
                        ? null
                        : new RecordedSize(machine.cpus(), machine.memoryMebibytes(), machine.container()),
                new TreeMap<>());
    }

    private static <T> T known(Map<String, T> site, String name, String wanted) {
        var found = site.get(name);
        if (found == null) {
            throw new Failure(Diagnostic.error(
                    Code.HOST_KEY_UNKNOWN,
                    "How to reach " + wanted + " is not known"
                            + (name.equals(wanted)
                                    ? "."
                                    : ": the route goes through " + name + ", which is no longer recorded."),
                    "Adopt the machines again:",
                    "deepsite adopt"));
        }
        return found;
    }

    /** Uses the user's own key for hosts that deepsite did not make. */
    private Path keyFile(boolean made) {
        return made ? loginKey.file() : keys.of(ssh.key());
    }

    /** Whether this is the name of a machine's SSH host key in the vault. */
    public static boolean isHostKey(String secret) {
        return secret.startsWith(HOST_KEY);
    }

    static String hostKeyName(String machine) {
        return HOST_KEY + machine.replace('-', '_');
    }
}
