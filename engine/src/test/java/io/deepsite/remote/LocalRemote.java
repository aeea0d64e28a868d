package io.deepsite.remote;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Hosts that are all this machine: commands run here, as the user who runs the tests. */
public final class LocalRemote implements Remote {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINpLe3FlKPn3sbHzgV0ZmpvF9LZmxzlFYS4MMe1x5rV3";

    private final Map<String, Code> unreachable = new TreeMap<>();
    private final Map<String, AtomicInteger> opened = new ConcurrentHashMap<>();
    private List<String> shell = List.of();

    public static SshTarget target(String name) {
        return new SshTarget(name, "192.0.2.1", 22, "root", HostKey.parse(KEY), Path.of("/nonexistent/login_key"));
    }

    /** Runs another program in place of each shell. */
    public LocalRemote withShell(String... argv) {
        shell = List.of(argv);
        return this;
    }

    public LocalRemote without(String host, Code why) {
        unreachable.put(host, why);
        return this;
    }

    public int opened(String host) {
        return opened.getOrDefault(host, new AtomicInteger()).get();
    }

    @Override
    public RemoteHost open(SshTarget target) {
        opened.computeIfAbsent(target.name(), _ -> new AtomicInteger()).incrementAndGet();
        var code = unreachable.get(target.name());
        if (code != null) {
            throw new Failure(Diagnostic.error(code, target + " is not there.", ""));
        }
        return new LocalHost(target, shell);
    }

    private record LocalHost(SshTarget target, List<String> shell) implements RemoteHost {
        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            try {
                var command = argv.getFirst().equals("/bin/sh") && !shell.isEmpty() ? shell : argv;
                var process = new ProcessBuilder(command).start();
                var in = Thread.ofVirtual().start(() -> feed(stdin, process));
                var err = Thread.ofVirtual().start(() -> copy(process.getErrorStream(), stderr));
                var out = Thread.ofVirtual().start(() -> copy(process.getInputStream(), stdout));
                if (!process.waitFor(limit.isZero() ? Long.MAX_VALUE : limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    throw SshFaults.tooSlow(target, command.getFirst(), limit);
                }
                in.join();
                out.join();
                err.join();
                return process.exitValue();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw SshFaults.interrupted(target, e);
            }
        }

        @Override
        public void close() {}

        private static void feed(InputStream stdin, Process process) {
            try (var to = process.getOutputStream()) {
                stdin.transferTo(to);
            } catch (IOException e) {
                // A command may leave its input unread.
                return;
            }
        }

        private static void copy(InputStream from, OutputStream to) {
            try {
                from.transferTo(to);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
