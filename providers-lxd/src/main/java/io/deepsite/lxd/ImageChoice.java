package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Chooses the image of a machine. An existing machine keeps its image, even if the alias has moved since. A new machine
 * gets the image of its siblings, so that a growing site stays uniform.
 */
final class ImageChoice {
    private final Snapshot snapshot;
    private final Owned owned;
    private final boolean refreshed;
    private final List<Diagnostic> faults;
    private final Set<ImageName> servers;
    private final TreeSet<String> missing = new TreeSet<>();

    /**
     * @param refreshed resolve the names again, also for existing machines
     * @param servers images for which a server is known
     */
    ImageChoice(Snapshot snapshot, Owned owned, boolean refreshed, Set<ImageName> servers, List<Diagnostic> faults) {
        this.servers = servers;
        this.snapshot = snapshot;
        this.owned = owned;
        this.refreshed = refreshed;
        this.faults = faults;
    }

    /** Names that now refer to another image than the one a machine of the site was made from. */
    static SortedSet<String> moved(Snapshot snapshot, Owned owned) {
        var moved = new TreeSet<String>();
        for (var instance : owned.machines()) {
            var name = instance.config().get(MachineAttributes.IMAGE_KEY);
            var made = MachineAttributes.fingerprint(instance);
            if (name != null
                    && made != null
                    && snapshot.imageNamed(name)
                            .filter(image -> !image.fingerprint().equals(made))
                            .isPresent()) {
                moved.add(name);
            }
        }
        return moved;
    }

    Optional<String> fingerprint(Name group, MachineGroup machine, String name, boolean virtual) {
        if (machine.image().isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.IMAGE_NEEDED,
                    "The machine group " + group + " names no image, and "
                            + snapshot.at().daemon() + " needs one.",
                    "Add machines." + group + ".image, such as debian/12."));
            return Optional.empty();
        }
        var image = machine.image().get();
        var now = snapshot.imageNamed(image.value()).map(Image::fingerprint);
        var made = owned.machine(name)
                .flatMap(instance -> recorded(instance, image))
                .or(() -> ofSiblings(image));
        var found = refreshed ? now.or(() -> made) : made.or(() -> now);
        if (found.isEmpty() && missing.add(image.value())) {
            boolean served = servers.contains(image);
            faults.add(Diagnostic.error(
                    Code.LXD_IMAGE_MISSING,
                    "The machine group " + group + " uses the image " + image + ", and " + snapshot.at()
                            + " has no alias of that name.",
                    served
                            ? "Fetch it from the server that " + setting("images") + " names:"
                            : "Build it, or name one that exists (deepsite image list):",
                    "deepsite image " + (served ? "pull " : "build ") + image));
        }
        found.flatMap(snapshot::image)
                .filter(stored -> stored.isVirtualMachine() != virtual && missing.add(group + " " + image))
                .ifPresent(stored -> faults.add(Diagnostic.error(
                        Code.LXD_IMAGE_MISSING,
                        "The image " + image + " of the machine group " + group + " is of type " + stored.type()
                                + ", but the group's machines are "
                                + (virtual ? "virtual machines." : "containers."),
                        "Name an image of the other type, or change " + setting("groups." + group)
                                + ".virtualMachines.")));
        found.flatMap(snapshot::image)
                .filter(stored -> stored.isOfProgram() && missing.add("oci " + group + " " + image))
                .ifPresent(_ -> faults.add(Diagnostic.error(
                        Code.IMAGE_OF_A_PROGRAM,
                        "The image " + image + " of the machine group " + group
                                + " is an OCI image, of one program: no system boots in it, and nobody could log in.",
                        "Name an image of a whole system:",
                        "deepsite image list")));
        return found;
    }

    private String setting(String key) {
        return snapshot.at().daemon().setting(key);
    }

    private Optional<String> recorded(Instance instance, ImageName image) {
        return image.value().equals(instance.config().get(MachineAttributes.IMAGE_KEY))
                ? Optional.ofNullable(MachineAttributes.fingerprint(instance))
                : Optional.empty();
    }

    private Optional<String> ofSiblings(ImageName image) {
        return owned.machines().stream()
                .flatMap(instance -> recorded(instance, image).stream())
                .filter(fingerprint -> snapshot.image(fingerprint).isPresent())
                .findFirst();
    }
}
