package io.deepsite.operations;

import io.deepsite.remote.Remote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Hosts, with the program of {@link ElasticKind} on its controller: it says what the test wants it to say, to all who listen. */
public final class ElasticHosts implements Remote {
    private final Remote hosts;
    private final List<String> said = new ArrayList<>(List.of("wanted= released= failed="));
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private int listening;

    ElasticHosts(Remote hosts) {
        this.hosts = hosts;
    }

    public synchronized void say(String line) {
        said.add(line);
        notifyAll();
    }

    /** The next thing that the program was told: {@code WORD MACHINE...: INPUT}. */
    public String told() throws InterruptedException {
        return told.take();
    }

    /** Whether it was told nothing more. */
    public boolean wasToldAll() {
        return told.isEmpty();
    }

    /** Until so many listen. */
    public synchronized void awaitListeners(int number) throws InterruptedException {
        while (listening != number) {
            wait();
        }
    }

    @Override
    public RemoteHost open(SshTarget target) {
        return new Host(hosts.open(target));
    }

    /** In one step: whoever waits for a listener may say the next thing at once. */
    private synchronized int begin() {
        listening++;
        notifyAll();
        return said.size() - 1;
    }

    private synchronized void end() {
        listening--;
        notifyAll();
    }

    /** Whoever begins to listen hears what was said last. */
    private int watch(OutputStream stdout) throws IOException {
        int first = begin();
        try {
            for (int next = first; ; next++) {
                stdout.write((line(next) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 1;
        } finally {
            end();
        }
    }

    private synchronized String line(int number) throws InterruptedException {
        while (said.size() <= number) {
            wait();
        }
        return said.get(number);
    }

    private final class Host implements RemoteHost {
        private final RemoteHost host;

        Host(RemoteHost host) {
            this.host = host;
        }

        @Override
        public SshTarget target() {
            return host.target();
        }

        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            try {
                var input = stdin.readAllBytes();
                var script = new String(input, StandardCharsets.UTF_8);
                if (argv.getFirst().equals("/bin/elastic")) {
                    told.add(String.join(" ", argv.subList(1, argv.size())) + ": " + script);
                    return 0;
                }
                if (script.contains("/bin/elastic") && script.contains(" verify")) {
                    var asked = script.substring(script.indexOf("verify"));
                    stdout.write(("CHECK\telastic\tbusy\t-\t0.1\t" + asked + "\n").getBytes(StandardCharsets.UTF_8));
                    return 0;
                }
                if (script.contains("/bin/elastic")) {
                    return watch(stdout);
                }
                return host.exec(argv, new ByteArrayInputStream(input), stdout, stderr, limit);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            host.close();
        }
    }
}
