package io.deepsite.lxd;

import java.util.List;
import java.util.Optional;

/**
 * Which paths of a host may be handed to a machine. A machine's users are not the host's: what holds secrets of the host, or
 * gives control of the host, is never passed to a machine, nor is a folder that contains such.
 */
public final class HostPaths {
    /** The system itself, and what daemons and people keep there. */
    private static final List<String> SYSTEM = List.of(
            "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/root", "/run", "/sbin",
            "/sys", "/tmp", "/usr", "/var");

    /** Below them a folder may be data; they themselves hold everybody's. */
    private static final List<String> OF_PEOPLE = List.of("/home");

    /** Memory, ports and disks of the host, its watchdog, and the keys to its kernel. */
    private static final String DANGEROUS = "/dev/(mem|kmem|port|kmsg|nvram|watchdog\\d*|snapshot|autofs|btrfs-control"
            + "|loop-control|lightnvm/.*|mapper/.*|cpu/.*|mcelog|tpm.*|sg\\d+|bsg/.*|nvme\\d+.*|mtd.*|hpet|uinput|input/.*"
            + "|console|tty\\d*|ptmx|pts/.*|vcs.*|fd/.*|std.*|initctl|log|userfaultfd|udmabuf|vhost-.*)";

    /** GPUs: assigned by gpus, which gives each to one machine only. */
    private static final String CARDS = "/dev/(nvidia.*|dri/.*|kfd|vfio/.*|accel.*|infiniband/.*)";

    private HostPaths() {}

    /** Why this device of a host is not handed on; empty when it may be. */
    public static Optional<String> deviceFault(String path) {
        return unclear(path)
                .or(() -> path.startsWith("/dev/") && path.length() > "/dev/".length()
                        ? Optional.empty()
                        : Optional.of(path + " is no device: those of a host are below /dev."))
                .or(() -> path.matches(CARDS)
                        ? Optional.of(path
                                + " belongs to a card, which goes to one machine only; this would hand it to more.")
                        : Optional.empty())
                .or(() -> path.matches(DANGEROUS)
                        ? Optional.of("Who may use " + path + " may take over the host, or see what others do there.")
                        : Optional.empty());
    }

    /** Why this folder of a host is not handed on; empty when it may be. */
    public static Optional<String> folderFault(String path) {
        return unclear(path)
                .or(() -> path.equals("/")
                        ? Optional.of("This is the whole host, its secrets included.")
                        : Optional.empty())
                .or(() -> SYSTEM.stream()
                        .filter(system -> path.equals(system) || path.startsWith(system + "/"))
                        .findFirst()
                        .map(_ -> path + " is part of the host's own system, where its secrets and daemons are."))
                .or(() -> OF_PEOPLE.contains(path) || path.matches("/home/[^/]+")
                        ? Optional.of(path + " is the home of people, with their keys and passwords.")
                        : Optional.empty())
                .or(() -> path.contains("/.")
                        ? Optional.of(path + " is hidden, as folders with keys and passwords are.")
                        : Optional.empty());
    }

    /** Why nothing is mounted there in a machine; empty when it may be. */
    public static Optional<String> targetFault(String path) {
        return unclear(path)
                .or(() -> path.equals("/") ? Optional.of("This is the whole of the machine.") : Optional.empty())
                .or(() -> SYSTEM.stream()
                        .filter(system -> path.equals(system)
                                || (path.startsWith(system + "/")
                                        && !path.startsWith("/var/lib/")
                                        && !path.startsWith("/usr/local/")))
                        .findFirst()
                        .map(_ -> path + " would hide a part of the machine's own system."));
    }

    private static Optional<String> unclear(String path) {
        return (path + "/").matches(".*/(\\.{0,2})/.*") && !path.equals("/")
                ? Optional.of(path + " holds //, /./ or /../, or ends with a slash: where it leads is not clear.")
                : Optional.empty();
    }
}
