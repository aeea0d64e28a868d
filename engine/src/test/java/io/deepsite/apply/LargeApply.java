package io.deepsite.apply;

import io.deepsite.remote.LocalRemote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures plan and apply of a large site on the in-memory provider, whose calls take time, with hosts that answer at
 * once and a script in place of Ansible: what remains is deepsite's own work. Run by {@code benchmarks/run apply}.
 */
final class LargeApply {
    private static final Pattern PROBE = Pattern.compile("probe_begin '?([0-9a-f]+)");
    private static final Map<String, String> ANSWERS = new ConcurrentHashMap<>();

    private LargeApply() {}

    /** Arguments: the number of machines, milliseconds of one call, and a folder for state and runs. */
    public static void main(String[] arguments) throws IOException {
        int machines = Integer.parseInt(arguments[0]);
        long latency = Long.parseLong(arguments[1]);
        var root = Path.of(arguments[2]);
        var site = new SmallSite(root).withAnsible("");
        site.nodes = machines - 1;
        site.remote = LargeApply::answering;
        site.provider.beforeEach(_ -> sleep(latency));
        var names = IntStream.range(1, machines).mapToObj(number -> "node-" + number);
        var all = Stream.concat(Stream.of("head"), names).toArray(String[]::new);
        site.withStage("base", "etc_hosts", List.of(), all);
        site.withStage("hpc.nodes", "slurm_node", List.of("base"), all);
        site.withStage("hpc.done", "slurm_done", List.of("hpc.nodes"), "head");

        var begun = System.nanoTime();
        var plan = site.plan();
        var planned = System.nanoTime();
        System.out.printf("plan: %d steps, %.1f s%n", plan.steps().size(), (planned - begun) / 1e9);
        var result = site.apply(plan);
        double wall = (System.nanoTime() - planned) / 1e9;
        double cpu = ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1e3;
        long peak = ManagementFactory.getMemoryPoolMXBeans().stream()
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
        System.out.printf(
                "apply: exit %s, %d done, %d failed, %.1f s, %.0f steps/s, CPU %.1f s, peak %d MiB, %.2f calls a machine, state %d KiB%n",
                result.exit(),
                result.done(),
                result.failed(),
                wall,
                result.done() / wall,
                cpu,
                peak >> 20,
                (double) site.provider.calls().size() / machines,
                site.stateText().length() >> 10);
    }

    /** A host that answers as this machine did when it was asked for the first time. */
    private static RemoteHost answering(SshTarget target) {
        return new RemoteHost() {
            @Override
            public SshTarget target() {
                return target;
            }

            @Override
            public int exec(
                    List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
                try {
                    var script = new String(stdin.readAllBytes(), StandardCharsets.UTF_8);
                    var probe = PROBE.matcher(script);
                    if (probe.find()) {
                        var nonce = probe.group(1);
                        var answer = ANSWERS.computeIfAbsent(script.replace(nonce, "NONCE"), LargeApply::ofThisMachine);
                        stdout.write(answer.replace("NONCE", nonce).getBytes(StandardCharsets.UTF_8));
                    }
                    return 0;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void close() {}
        };
    }

    private static String ofThisMachine(String script) {
        try (var host = new LocalRemote().open(LocalRemote.target("head"))) {
            return host.sh(script, Duration.ofMinutes(1)).stdout();
        }
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
