package io.deepsite.lxd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Checks devices and folders that a site gives to its machines, if LXD's host is this one. LXD itself notices a missing
 * one only when a machine starts, and a link to the host's secrets never.
 */
final class HostLook {
    private static final int FILE_TYPE = 0170000;
    private static final int CHARACTER_DEVICE = 0020000;

    private final DaemonSettings settings;
    private final Path siteFolder;

    HostLook(DaemonSettings settings, Path siteFolder) {
        this.settings = settings;
        this.siteFolder = siteFolder;
    }

    /**
     * A fault of one of them.
     *
     * @param forbidden whether it exists, but no machine may have it
     * @param why one or two sentences
     */
    record Wrong(boolean forbidden, String why) {}

    /** Faults by path; empty if LXD is on another host. */
    Map<String, Wrong> faults() {
        var faults = new TreeMap<String, Wrong>();
        if (settings.address().isSocket()) {
            for (var group : settings.groups().values()) {
                group.devices().values().stream()
                        .map(LxdMachines.CharacterDevice::source)
                        .forEach(path -> check(path, HostPaths::deviceFault, this::device)
                                .ifPresent(wrong -> faults.put(path, wrong)));
                group.folders().values().stream()
                        .map(LxdMachines.HostFolder::source)
                        .forEach(path -> check(path, HostPaths::folderFault, this::folder)
                                .ifPresent(wrong -> faults.put(path, wrong)));
            }
        }
        return faults;
    }

    private static Optional<Wrong> check(
            String path, Function<String, Optional<String>> allowed, Function<Path, Optional<Wrong>> kind) {
        try {
            var real = Path.of(path).toRealPath();
            var leads = real.toString().equals(path) ? "" : "It leads to " + real + ". ";
            return allowed.apply(real.toString())
                    .map(why -> new Wrong(true, leads + why))
                    .or(() -> kind.apply(real));
        } catch (IOException _) {
            return missing("It does not exist.");
        }
    }

    private static Optional<Wrong> missing(String why) {
        return Optional.of(new Wrong(false, why));
    }

    private Optional<Wrong> device(Path path) {
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode");
            return (mode & FILE_TYPE) == CHARACTER_DEVICE ? Optional.empty() : missing("It is not a character device.");
        } catch (IOException _) {
            return missing("This user may not read it.");
        }
    }

    private Optional<Wrong> folder(Path path) {
        if (!Files.isDirectory(path)) {
            return missing("It is not a folder.");
        }
        try {
            return siteFolder.toRealPath().startsWith(path)
                    ? Optional.of(new Wrong(true, "It contains the site's folder, with its secrets and keys."))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
