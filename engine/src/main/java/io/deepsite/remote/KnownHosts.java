package io.deepsite.remote;

import io.deepsite.state.AtomicFile;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The known_hosts file with which OpenSSH, and so Ansible, trusts exactly the hosts that deepsite trusts. */
public final class KnownHosts {
    private static final int USUAL_PORT = 22;

    private KnownHosts() {}

    /**
     * One line per host and key, jump hosts included, ordered by name; by address only: a name could resolve to another
     * host.
     */
    public static String text(Collection<SshTarget> targets) {
        return targets.stream()
                .flatMap(target -> Stream.concat(target.hops().stream(), Stream.of(target)))
                .sorted(Comparator.comparing(SshTarget::name))
                .flatMap(target -> target.hostKeys().stream().map(key -> place(target) + " " + key.line() + "\n"))
                .distinct()
                .collect(Collectors.joining());
    }

    /** Replaces the file atomically: an ssh that starts now reads the old one or the new one. */
    public static void write(Path file, Collection<SshTarget> targets) {
        AtomicFile.write(file, text(targets));
    }

    private static String place(SshTarget target) {
        return target.port() == USUAL_PORT ? target.address() : "[" + target.address() + "]:" + target.port();
    }
}
