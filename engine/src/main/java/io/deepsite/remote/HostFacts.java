package io.deepsite.remote;

import io.deepsite.contract.Seen;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a host reports about itself.
 *
 * @param osId {@code debian}, {@code ubuntu} …; empty when unknown, as are all texts here
 * @param osVersion such as {@code 12}
 * @param cpus those that the host may use; 0 when unknown
 * @param memoryMebibytes as the kernel counts it, less than the machine's configured size; 0 when unknown
 * @param arch {@code x86_64}, {@code aarch64}
 * @param kernel release of the running kernel
 * @param kernelCommandLine of the running kernel; in a container that of its host
 * @param bootId changes with every boot
 * @param container kind of container, if the host is one; else empty
 * @param clock the host's time in seconds since 1970
 */
public record HostFacts(
        String osId,
        String osVersion,
        String osCodename,
        int cpus,
        long memoryMebibytes,
        String arch,
        String hostname,
        String kernel,
        String kernelCommandLine,
        String bootId,
        Optional<String> container,
        long clock,
        boolean python3) {

    private static final long MOST_CPUS = 1L << 20;
    private static final long MOST_MEMORY = 1L << 40;

    static final HostFacts UNKNOWN = of(Seen.of(Map.of()));

    static HostFacts of(Seen seen) {
        var os = seen.fields().get("os") instanceof Map<?, ?> map ? map : Map.of();
        return new HostFacts(
                text(os.get("id")),
                text(os.get("version")),
                text(os.get("codename")),
                (int) number(seen, "cpus", MOST_CPUS),
                number(seen, "memory_mib", MOST_MEMORY),
                seen.text("arch"),
                seen.text("hostname"),
                seen.text("kernel"),
                seen.text("cmdline"),
                seen.text("boot_id"),
                Optional.of(seen.text("container")).filter(kind -> !kind.isEmpty()),
                number(seen, "time", Long.MAX_VALUE),
                seen.flag("python3"));
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    /** 0 for a value that is not a whole number, or implausibly large. */
    private static long number(Seen seen, String name, long most) {
        var value = seen.fields().get(name);
        long number = value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : 0;
        return number < 0 || number > most ? 0 : number;
    }
}
