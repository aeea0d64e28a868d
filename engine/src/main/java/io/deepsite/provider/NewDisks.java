package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.site.Name;
import io.deepsite.site.Size;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The disks that a back-end attaches empty to a machine. Not every hypervisor shows the guest which is which, so it finds a
 * new one by its size; later by the label of its file system.
 */
public final class NewDisks {
    /** Twice what a guest may find a disk smaller or larger than it was asked for: encryption takes up to 16 MiB. */
    private static final long DISTANCE = 32;

    private final Name group;
    private final Map<String, Size> mounted = new LinkedHashMap<>();
    private final Map<String, Size> bare = new LinkedHashMap<>();

    /** @param volumes the site's, in which the machine makes file systems */
    public NewDisks(Name group, List<SharedVolume> volumes) {
        this.group = group;
        volumes.forEach(volume -> mounted.put(volume.name(), volume.size().orElseThrow()));
    }

    /** One of the machine's own, which it leaves as it is. */
    public void bare(String volume, Size size) {
        bare.put(volume, size);
    }

    /** The pairs of disks that the machine could confuse: at least one is to be mounted. */
    public List<Diagnostic> faults() {
        var faults = new ArrayList<Diagnostic>();
        var others = new LinkedHashMap<>(mounted);
        mounted.forEach((name, size) -> {
            others.remove(name);
            others.forEach((other, like) -> compare(name, size, "the volume " + other, like, faults));
            bare.forEach((other, like) -> compare(name, size, "the machine's own volume " + other, like, faults));
        });
        return faults;
    }

    /** Of a volume of the site that has the name of one of the machine's own. */
    public static Diagnostic nameTaken(String machine, SharedVolume volume) {
        return Diagnostic.error(
                Code.RESERVED_NAME,
                "The machine " + machine + " has a volume of its own that the volume " + volume.name()
                        + " of the site could not be told from.",
                "Rename one of them.");
    }

    private void compare(String name, Size size, String other, Size like, List<Diagnostic> faults) {
        if (Math.abs(size.mebibytes() - like.mebibytes()) <= DISTANCE) {
            faults.add(Diagnostic.error(
                    Code.VOLUMES_ALIKE,
                    "The volume " + name + " and " + other + " are attached to the machine of the group " + group
                            + " as empty disks of " + size + " and " + like
                            + ", and it finds each by its size.",
                    "Make one of them larger by 1GiB."));
        }
    }
}
