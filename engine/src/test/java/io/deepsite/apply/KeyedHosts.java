package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.remote.Executable;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.LocalRemote;
import io.deepsite.remote.Remote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.state.OpenSshKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Hosts on this machine whose sshd keeps the key that it read at its start. They run the real scripts, in a folder
 * instead of /etc/ssh; scripts replace ssh-keygen and systemctl and do the same to that folder.
 */
final class KeyedHosts implements Remote {
    /** Ends a run as kill -9 does: nothing after it runs. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private final Path root;
    private final Function<String, Boot> boots;
    private final Map<String, HostKey> loaded = new TreeMap<>();
    private final LocalRemote local = new LocalRemote();
    /** Completed scripts, of all hosts. */
    final List<String> ran = new ArrayList<>();

    private int killedAfter = Integer.MAX_VALUE;
    private boolean beforeItTells;

    /** @param boots what the back-end injected into a host before its first start */
    KeyedHosts(Path root, Function<String, Boot> boots) {
        this.root = root;
        this.boots = boots;
    }

    /**
     * Kills the run after {@code after} more scripts.
     *
     * @param untold the last script's answer is lost
     */
    KeyedHosts killedAfter(int after, boolean untold) {
        killedAfter = ran.size() + after;
        beforeItTells = untold;
        return this;
    }

    KeyedHosts alive() {
        killedAfter = Integer.MAX_VALUE;
        return this;
    }

    HostKey shown(String host) {
        return start(host);
    }

    /** A power cut before the key was flushed to disk. */
    void loseNextKey(String host) throws IOException {
        Files.delete(etc(host).resolve("deepsite_next_key"));
        Files.delete(etc(host).resolve("deepsite_next_key.pub"));
    }

    void breakKeygen(String host) throws IOException {
        start(host);
        script(etc(host).resolve("../bin/ssh-keygen"), "echo 'no entropy' >&2; exit 7");
    }

    private Path etc(String host) {
        return root.resolve(host).resolve("etc");
    }

    /** The host's first start, once; later starts need a restart. */
    private synchronized HostKey start(String host) {
        try {
            var etc = etc(host);
            if (!Files.exists(etc)) {
                Files.createDirectories(etc);
                Files.createDirectories(root.resolve(host).resolve("bin"));
                for (var file : boots.apply(host).files()) {
                    if (file.path().startsWith("/etc/ssh/ssh_host")) {
                        Files.writeString(etc.resolve(Path.of(file.path()).getFileName()), file.content());
                    }
                }
                programs(host);
                Files.writeString(etc.resolve("../restart"), "");
            }
            if (Files.deleteIfExists(etc.resolve("../restart"))) {
                loaded.put(host, HostKey.parse(Files.readString(etc.resolve("ssh_host_ed25519_key.pub"))));
            }
            return loaded.get(host);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void programs(String host) throws IOException {
        var home = root.resolve(host);
        for (int i = 1; i <= 3; i++) {
            var key = OpenSshKey.generate("", new SecureRandom());
            Files.writeString(home.resolve("new-" + i), key.privateKey().reveal());
            Files.writeString(home.resolve("new-" + i + ".pub"), key.publicLine() + "\n");
        }
        script(home.resolve("bin/ssh-keygen"), """
                case "$1" in
                -q) for n in 1 2 3; do
                        if [ -e HOME/new-$n ] && [ ! -e HOME/used-$n ]; then
                            touch HOME/used-$n; cp HOME/new-$n "$9"; cp HOME/new-$n.pub "$9.pub"; exit 0
                        fi
                    done ;;
                -y) for n in 1 2 3; do
                        if cmp -s HOME/new-$n "$3"; then cat HOME/new-$n.pub; exit 0; fi
                    done
                    cat "$3.pub"; exit 0 ;;
                esac
                exit 1
                """.replace("HOME", home.toString()));
        script(home.resolve("bin/systemctl"), "if [ \"$1\" = restart ]; then touch " + home + "/restart; fi");
    }

    private static void script(Path file, String text) throws IOException {
        Executable.write(file, "#!/bin/sh\n" + text + "\n");
    }

    @Override
    public RemoteHost open(SshTarget target) {
        var shown = start(target.name());
        if (!target.hostKeys().contains(shown)) {
            throw new Failure(
                    Diagnostic.error(Code.HOST_KEY_WRONG, target + " shows " + shown.fingerprint() + ".", ""));
        }
        return new Host(target);
    }

    private final class Host implements RemoteHost {
        private final SshTarget target;

        Host(SshTarget target) {
            this.target = target;
        }

        @Override
        public SshTarget target() {
            return target;
        }

        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            synchronized (KeyedHosts.this) {
                if (ran.size() >= killedAfter) {
                    throw new Killed();
                }
                try (var host = local.open(target)) {
                    var script = new String(stdin.readAllBytes(), StandardCharsets.UTF_8);
                    var here = "PATH=" + etc(target.name()).resolve("../bin") + ":$PATH\n"
                            + script.replace("/etc/ssh", etc(target.name()).toString());
                    int exit = host.exec(
                            argv,
                            new ByteArrayInputStream(here.getBytes(StandardCharsets.UTF_8)),
                            stdout,
                            stderr,
                            limit);
                    ran.add(target.name() + ": " + script.lines().count() + " lines");
                    if (ran.size() >= killedAfter && beforeItTells) {
                        throw new Killed();
                    }
                    return exit;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void close() {}
    }
}
