package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.MachineCount;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.User;
import io.deepsite.site.Volume;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What must hold between the volumes of a site and its machines, users and provider. */
final class VolumeChecks {
    /** Folders of the system, which a mount would hide: these, and all below those of the second list. */
    private static final Set<String> SYSTEM =
            Set.of("/home", "/media", "/mnt", "/opt", "/srv", "/tmp", "/usr", "/usr/local", "/var", "/var/lib");

    private static final List<String> BELOW = List.of(
            "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys");

    private static final String FOLDER =
            "The volume is a folder of the machine that serves it here: as large as its disk, and gone with it.";

    private final CheckContext context;
    private final Site site;
    private final Places places;
    private final Findings findings;

    VolumeChecks(CheckContext context) {
        this.context = context;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
    }

    void run() {
        site.volumes().forEach((name, volume) -> {
            String path = "volumes." + name;
            NamedGroup.of(volume.groups(), path + ".groups").forEach(context::groupExists);
            mountPoint(name, volume, path + ".mount");
            people(volume, path);
            if (!findings.isUnsound("provider")) {
                place(name, volume, path);
            }
        });
    }

    private void mountPoint(Name name, Volume volume, String place) {
        if (findings.isUnsound(place)) {
            return;
        }
        if (SYSTEM.contains(volume.mount()) || BELOW.stream().anyMatch(folder -> within(volume.mount(), folder))) {
            findings.fault(
                    Code.MOUNT_TAKEN,
                    places.of(place),
                    "The system of the machines, or their users' homes, are at " + volume.mount() + ".",
                    "Mount it elsewhere, as at /data or /srv/" + name + ".");
            return;
        }
        for (var other : site.volumes().entrySet()) {
            if (other.getKey().equals(name)) {
                return;
            }
            var there = other.getValue().mount();
            boolean together = other.getValue().groups().stream().anyMatch(volume.groups()::contains);
            if (together && (within(volume.mount(), there) || within(there, volume.mount()))) {
                findings.faultOnce(
                        Code.MOUNT_TAKEN,
                        places.of(place),
                        "The volume " + other.getKey() + " is mounted at " + there + " on the same machines.",
                        "Mount one of them beside the other.");
            }
        }
    }

    private static boolean within(String path, String folder) {
        return (path + "/").startsWith(folder + "/");
    }

    private void people(Volume volume, String path) {
        volume.owner()
                .filter(owner -> !site.users().containsKey(owner) && !findings.isUnsound("users"))
                .ifPresent(owner -> findings.faultOnce(
                        Code.VOLUME_OF_NOBODY,
                        places.of(path + ".owner"),
                        "No user of this site is named " + owner + ".",
                        Wording.didYouMean(
                                owner.value(),
                                site.users().keySet().stream().map(Name::value).toList(),
                                "Add the user, or remove the key.")));
        var groups = Stream.concat(
                        site.users().keySet().stream(),
                        site.users().values().stream().map(User::groups).flatMap(List::stream))
                .distinct()
                .toList();
        volume.group()
                .filter(group -> !groups.contains(group) && !findings.isUnsound("users"))
                .ifPresent(group -> findings.faultOnce(
                        Code.VOLUME_OF_NOBODY,
                        places.of(path + ".group"),
                        "No user of this site is in the group " + group + ".",
                        Wording.didYouMean(
                                group.value(),
                                groups.stream().map(Name::value).toList(),
                                "Add the group to a user's groups, or remove the key.")));
    }

    /** Where the data is, and whether the machines can reach it there. */
    private void place(Name name, Volume volume, String path) {
        var provider = site.provider();
        if (volume.nfs().isPresent()) {
            containers(volume, path);
            return;
        }
        if (provider.sharesVolumes()) {
            findings.noEffect(places, path + ".server", "The provider has a volume that all these machines mount.");
            return;
        }
        if (!provider.attachesVolumes()) {
            findings.noEffect(places, path + ".size", FOLDER);
            findings.noEffect(places, path + ".keep", FOLDER);
        } else if (volume.size().isEmpty()) {
            findings.noEffect(
                    places,
                    path + ".keep",
                    FOLDER,
                    "Add \"size: 100GiB\", so that the provider makes a volume; or remove the key.");
        }
        if (volume.server().isEmpty()) {
            findings.faultOnce(
                    Code.VOLUME_NOWHERE,
                    places.ofKey(path),
                    "Machines of provider " + provider.provider()
                            + " cannot mount one volume together, and nothing says which of them serves it.",
                    "Add \"server: GROUP\" with a group of one machine, or name an export that exists already:"
                            + " \"nfs: SERVER:/PATH\".");
            return;
        }
        var server = volume.server().get();
        if (context.groupExists(new NamedGroup(server, path + ".server"))) {
            context.count(
                    new MachineCount(
                            server,
                            MachineCount.Rule.ONE,
                            "the server of the volume " + name,
                            "One machine has the data.",
                            Code.VOLUME_NOWHERE),
                    path + ".server");
        }
        containers(volume, path);
    }

    private void containers(Volume volume, String path) {
        for (int i = 0; i < volume.groups().size(); i++) {
            var group = volume.groups().get(i);
            if (site.provider().containers(group)) {
                findings.faultOnce(
                        Code.CONTAINER_WITHOUT_NFS,
                        places.of(path + ".groups[" + i + "]"),
                        "The machines of " + group + " are containers, whose kernel does not let them mount NFS.",
                        "Leave out nfs, so that the provider makes a volume; or mount the export on the host of the"
                                + " containers and give it to them as a folder.");
            }
        }
    }
}
