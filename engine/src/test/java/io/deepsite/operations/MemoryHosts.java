package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.remote.HostKey;
import io.deepsite.remote.Remote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The machines of a back-end in memory, behind the keys that it gave them: they show that host key or the one that they made
 * since, and let in only the login key. Probes find nothing; there are no roles on them.
 */
final class MemoryHosts implements Remote {
    private static final String HOST_KEY = "/etc/ssh/ssh_host_ed25519_key.pub";
    private static final Pattern NONCE = Pattern.compile("probe_begin '([0-9a-f]+)'");

    private final Function<String, Map<String, String>> inside;
    /** By the host key that a machine was given: a machine that is made anew has made none. */
    private final Map<String, String> made = new ConcurrentHashMap<>();

    private final Map<String, String> shown = new ConcurrentHashMap<>();
    /** Those that were sealed: nobody gets in any more. */
    private final Set<String> closed = ConcurrentHashMap.newKeySet();
    /** The jobs that the script which seals a machine was given, and what it answers. */
    final List<String> sealed = new CopyOnWriteArrayList<>();

    String sealAnswer = "{\"found\": [], \"files\": 1, \"bytes\": 1}";

    /** @param inside files of a machine by path; empty when it is not there */
    MemoryHosts(Function<String, Map<String, String>> inside) {
        this.inside = inside;
    }

    String digest() {
        return made.toString() + shown;
    }

    Runnable keep() {
        var keptMade = Map.copyOf(made);
        var keptShown = Map.copyOf(shown);
        var keptClosed = Set.copyOf(closed);
        return () -> {
            made.clear();
            made.putAll(keptMade);
            shown.clear();
            shown.putAll(keptShown);
            closed.clear();
            closed.addAll(keptClosed);
        };
    }

    @Override
    public RemoteHost open(SshTarget target) {
        var hop = target.via();
        if (hop.isPresent()) {
            open(hop.get());
        }
        var files = inside.apply(target.name());
        var given = files.getOrDefault(HOST_KEY, "").strip();
        if (files.isEmpty() || closed.contains(given)) {
            throw fault(Code.HOST_SILENT, target + " is not there.");
        }
        var key = HostKey.parse(shown.getOrDefault(given, given));
        if (!target.hostKeys().contains(key)) {
            throw fault(Code.HOST_KEY_WRONG, target + " shows " + key.fingerprint() + ".");
        }
        if (!files.getOrDefault(Boot.LOGIN_KEYS, "").strip().equals(login(target))) {
            throw fault(Code.LOGIN_REFUSED, target + " knows another key.");
        }
        return new Host(target, given);
    }

    private static String login(SshTarget target) {
        try {
            return OpenSshKey.of(Secret.of(Files.readString(target.privateKey())))
                    .publicLine()
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Failure fault(Code code, String why) {
        return new Failure(Diagnostic.error(code, why, ""));
    }

    /** What the scripts of deepsite do there. */
    private String run(String given, String script) {
        var nonce = NONCE.matcher(script);
        if (nonce.find()) {
            return "deepsite-probe 1 " + nonce.group(1) + "\n{\"n\":1,\"seen\":{}}\ndeepsite-probe end 1\n";
        }
        if (script.contains("-f deepsite_next_key")) {
            return made.computeIfAbsent(
                    given, _ -> OpenSshKey.generate("", new SecureRandom()).publicLine());
        }
        if (script.contains("mv -f \"deepsite_next_key")) {
            var next = made.get(given);
            if (next != null) {
                shown.put(given, next);
            }
            return shown.getOrDefault(given, given);
        }
        if (script.contains("\nmain('before')\n")) {
            return "{\"enabled\": [\"ssh.service\"]}";
        }
        if (script.contains("\nmain('seal', ")) {
            closed.add(given);
            sealed.add(script.substring(script.indexOf("\nmain('seal', ")));
            return sealAnswer;
        }
        return "";
    }

    private final class Host implements RemoteHost {
        private final SshTarget target;
        private final String given;

        Host(SshTarget target, String given) {
            this.target = target;
            this.given = given;
        }

        @Override
        public SshTarget target() {
            return target;
        }

        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            try {
                var script = new String(stdin.readAllBytes(), StandardCharsets.UTF_8);
                stdout.write(run(given, script).getBytes(StandardCharsets.UTF_8));
                return 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {}
    }
}
