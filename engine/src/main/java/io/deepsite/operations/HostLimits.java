package io.deepsite.operations;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Limits of the kernel that all containers of a host share, because their root is one user of the host. A machine beyond
 * them boots without name resolution, without a service, or not at all, and does not say why.
 *
 * @param root of the file system, {@code /}
 */
record HostLimits(Path root) {
    /**
     * @param least enough for about a hundred machines
     * @param what meets it
     */
    private record Limit(String name, long least, String what) {}

    private static final List<Limit> LIMITS = List.of(
            new Limit("fs.inotify.max_user_instances", 1024, "about ten per machine"),
            new Limit("fs.inotify.max_user_watches", 65_536, "a few hundred per machine"),
            new Limit("kernel.keys.maxkeys", 2000, "about ten per machine"),
            new Limit("kernel.keys.maxbytes", 2_000_000, "goes with kernel.keys.maxkeys"),
            new Limit("fs.aio-max-nr", 524_288, "a few thousand per database"));

    /** @param now what the host has */
    record Miss(String name, long now, long least, String what) {
        @Override
        public String toString() {
            return name + " is " + now + " (" + what + ")";
        }
    }

    /** Limits that are too low for many machines; one that this kernel does not have is none. */
    List<Miss> misses() {
        var misses = new ArrayList<Miss>();
        for (var limit : LIMITS) {
            long now = read(limit.name());
            if (now < limit.least()) {
                misses.add(new Miss(limit.name(), now, limit.least(), limit.what()));
            }
        }
        return misses;
    }

    /** The command that raises them until the next boot, and keeps them after it. */
    static String fix(List<Miss> misses) {
        return "printf '%s\\n' "
                + misses.stream()
                        .map(miss -> "'" + miss.name() + " = " + miss.least() + "'")
                        .collect(Collectors.joining(" "))
                + " | sudo tee /etc/sysctl.d/60-deepsite.conf && sudo sysctl -p /etc/sysctl.d/60-deepsite.conf";
    }

    long read(String name) {
        try (var in = Files.newInputStream(root.resolve("proc/sys/" + name.replace('.', '/')))) {
            // By one read: the kernel answers the second one, at another offset, with the end of the file.
            var bytes = new byte[64];
            int count = Math.max(0, in.read(bytes));
            return Long.parseLong(new String(bytes, 0, count, StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException _) {
            return Long.MAX_VALUE;
        }
    }
}
