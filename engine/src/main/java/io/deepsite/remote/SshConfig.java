package io.deepsite.remote;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A configuration for OpenSSH's client that reaches the hosts as deepsite does: with the same keys, through the same
 * jump hosts. It is a file, because command line options do not apply to jump hosts.
 */
public final class SshConfig {
    /** Cannot collide with a machine: no machine name has a dot. */
    private static final String JUMP = "ssh.jump";

    private final Collection<SshTarget> targets;
    private final Path knownHosts;
    private final boolean shared;
    private final UnaryOperator<Path> keys;

    private SshConfig(Collection<SshTarget> targets, Path knownHosts, boolean shared, UnaryOperator<Path> keys) {
        this.targets = targets;
        this.knownHosts = knownHosts;
        this.shared = shared;
        this.keys = keys;
    }

    /** For one client. */
    public static String text(SshTarget target, Path knownHosts) {
        return new SshConfig(List.of(target), knownHosts, false, Path::toAbsolutePath).text();
    }

    /**
     * For Ansible: its many connections through one host share a single login there.
     *
     * @param keys how it sees files of private keys
     */
    public static String forAnsible(Collection<SshTarget> targets, Path knownHosts, UnaryOperator<Path> keys) {
        return new SshConfig(targets, knownHosts, true, keys).text();
    }

    private String text() {
        var blocks = new LinkedHashMap<String, String>();
        var hops = targets.stream().flatMap(target -> target.hops().stream()).collect(Collectors.toSet());
        hops.forEach(hop -> blocks.put(alias(hop), block(hop, true)));
        targets.forEach(target -> blocks.putIfAbsent(alias(target), block(target, false)));
        return blocks.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(Map.Entry::getValue)
                        .collect(Collectors.joining("\n"))
                + """

                Host *
                    StrictHostKeyChecking yes
                    UserKnownHostsFile %s
                    GlobalKnownHostsFile /dev/null
                    IdentitiesOnly yes
                    BatchMode yes
                    LogLevel ERROR
                """.formatted(file(knownHosts));
    }

    /** By its name, and for Ansible by its address. */
    private String block(SshTarget target, boolean passesOn) {
        var text = new StringBuilder("""
                Host %s %s
                    HostName %s
                    Port %d
                    User %s
                    IdentityFile %s
                """.formatted(
                        alias(target),
                        target.address(),
                        target.address(),
                        target.port(),
                        target.user(),
                        file(keys.apply(target.privateKey()))));
        target.via()
                .ifPresent(
                        hop -> text.append("    ProxyJump ").append(alias(hop)).append('\n'));
        if (passesOn && shared) {
            // In the folder where Ansible keeps its own.
            text.append("""
                        ControlMaster auto
                        ControlPath %d/.ansible/cp/deepsite-%C
                        ControlPersist 60s
                    """);
        }
        return text.toString();
    }

    private static String alias(SshTarget target) {
        return target.name().indexOf(' ') < 0 ? target.name() : JUMP;
    }

    private static String file(Path path) {
        return "\"" + path.toString().replace("%", "%%") + "\"";
    }
}
