package io.deepsite.state;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Who takes a lock.
 *
 * @param machine one boot of one machine and its process namespace: process ids are comparable only if it is equal
 * @param processStart see {@link Processes#start}
 */
public record LockOwner(String who, String host, String machine, long pid, long processStart, String toolVersion) {

    /** This process. */
    public static LockOwner current(String toolVersion) {
        var pid = ProcessHandle.current().pid();
        return new LockOwner(
                System.getProperty("user.name", "unknown"),
                hostName(),
                bootAndProcessSpace(),
                pid,
                Processes.ofThisMachine().start(pid).orElse(0),
                toolVersion);
    }

    /** Whether another owner is, or was, a process of this machine. */
    public boolean isBeside(LockOwner other) {
        return other.machine.equals(machine);
    }

    /** Whether another owner was a process of this machine that certainly has ended. */
    public boolean hasEnded(LockOwner other) {
        return hasEnded(other, Processes.ofThisMachine());
    }

    boolean hasEnded(LockOwner other, Processes processes) {
        if (!isBeside(other)) {
            return false;
        }
        var start = processes.start(other.pid);
        return start.isEmpty() || start.getAsLong() != other.processStart;
    }

    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (IOException unknown) {
                return "localhost";
            }
        }
    }

    private static String bootAndProcessSpace() {
        try {
            var boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return boot + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            return hostName();
        }
    }
}
