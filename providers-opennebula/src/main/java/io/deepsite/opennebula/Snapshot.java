package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Element;
import io.deepsite.opennebula.oca.OneVersion;
import io.deepsite.site.IpAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everything that a user sees of a front-end, read at once.
 *
 * @param front how messages name the front-end
 * @param hosts empty also if this user may see none
 * @param apps of marketplaces; read only if the site uses one
 */
record Snapshot(
        String front,
        OneVersion version,
        List<Vm> vms,
        List<Network> networks,
        List<Image> images,
        List<SecurityGroup> securityGroups,
        List<Host> hosts,
        List<Named> clusters,
        List<Datastore> datastores,
        List<VmTemplate> templates,
        List<Named> apps,
        int user,
        Quotas quotas) {
    Snapshot {
        vms = List.copyOf(vms);
        networks = List.copyOf(networks);
        images = List.copyOf(images);
        securityGroups = List.copyOf(securityGroups);
        hosts = List.copyOf(hosts);
        clusters = List.copyOf(clusters);
        datastores = List.copyOf(datastores);
        templates = List.copyOf(templates);
        apps = List.copyOf(apps);
    }

    /** An object that a site can refer to by name or id. */
    sealed interface Thing permits Named, Vm, Network, Image, SecurityGroup, Host, Datastore, VmTemplate {
        int id();

        String name();
    }

    record Named(int id, String name) implements Thing {}

    /**
     * @param asked requested attributes that OpenNebula does not return unchanged
     * @param keys digests of the keys that it was made with
     */
    record Vm(
            int id,
            String name,
            Life life,
            Optional<Ownership> ownership,
            Map<String, String> asked,
            Map<String, String> keys,
            List<Nic> nics,
            List<Disk> disks,
            int cpus,
            long mebibytes,
            String schedulerMessage,
            String error)
            implements Thing {}

    record Nic(int networkId, String address) {}

    /** @param imageId -1 without an image */
    record Disk(int id, int imageId) {}

    /**
     * @param state STATE from 6.4 on; READY before, where networks have no states
     * @param clusters whose hosts run its machines
     * @param template GATEWAY, DNS and the like; ERROR after a driver failed
     */
    record Network(
            int id,
            String name,
            Optional<Ownership> ownership,
            Map<String, String> asked,
            int state,
            Set<Integer> clusters,
            List<Range> ranges,
            Map<String, String> template)
            implements Thing {
        static final int READY = 1;
        private static final int ERROR = 5;
        private static final int UPDATE_FAILURE = 6;

        /** Whether machines can be on it: in UPDATE_FAILURE, some machine did not get a change of the network. */
        boolean isMade() {
            return state == READY || state == UPDATE_FAILURE;
        }

        boolean hasFailed() {
            return state == ERROR;
        }

        String error() {
            return template.getOrDefault("ERROR", "");
        }
    }

    /**
     * A range of consecutive addresses.
     *
     * @param leased the leases, if they were read
     */
    record Range(IpAddress first, long size, List<IpAddress> leased) {}

    record Image(
            int id,
            String name,
            Optional<Ownership> ownership,
            Map<String, String> asked,
            int datastoreId,
            int state,
            long mebibytes,
            String error,
            Origin origin)
            implements Thing {
        static final int READY = 1;
        static final int USED = 2;
        static final int ERROR = 5;
        private static final List<Integer> USABLE = List.of(READY, USED, 8);
        /** INIT, LOCKED, ERROR, DELETE. */
        private static final List<Integer> UNMADE = List.of(0, 4, ERROR, 7);

        boolean isUsable() {
            return USABLE.contains(state);
        }

        /** Others may own an image of the same name and let this user see it; it must not be used. */
        boolean isBakedBy(int user) {
            return origin.user() == user && origin.baked().isPresent();
        }

        /** Whether it was complete once, even if it is being copied, locked or disabled now. */
        boolean isMade() {
            return !UNMADE.contains(state);
        }
    }

    /**
     * @param user who owns it
     * @param persistent whether a machine changes the image itself, and not a copy
     * @param saved whether it is the disk of a machine
     * @param baked what it is made of, if deepsite baked it
     */
    record Origin(int user, boolean persistent, boolean saved, Optional<String> baked, Instant registered) {}

    record SecurityGroup(int id, String name, Optional<Ownership> ownership, List<Map<String, String>> rules)
            implements Thing {}

    /**
     * @param freeCpus in hundredths
     * @param alive whether it is enabled and its last check succeeded
     */
    record Host(int id, String name, int clusterId, boolean alive, long freeCpus, long freeMebibytes, List<Card> cards)
            implements Thing {}

    /**
     * @param vendor four hex digits, and so on
     * @param address {@code 17:00.0}
     */
    record Card(String vendor, String device, String type, String name, String address, boolean free) {}

    /**
     * @param freeMebibytes -1 if it was not measured yet
     * @param cloneTarget where a machine's copy of an image is: SYSTEM, SELF or NONE
     * @param linkTarget the same of a persistent image
     * @param restricted prefixes of paths that it does not copy from
     * @param safe prefixes of paths that it copies from nevertheless
     */
    record Datastore(
            int id,
            String name,
            boolean holdsImages,
            long freeMebibytes,
            String cloneTarget,
            String linkTarget,
            List<String> restricted,
            List<String> safe)
            implements Thing {
        /** Restricted for every datastore: its driver adds them (check_restricted in datastore/libfs.sh). */
        private static final List<String> NEVER = List.of("/var/lib/one/", "/etc/one/");

        Datastore {
            restricted = List.copyOf(restricted);
            safe = List.copyOf(safe);
        }

        /** A best guess: on the front-end a part of the path may be a link. */
        boolean reads(String path) {
            var plain = Path.of(path).normalize().toString();
            return safe.stream().anyMatch(plain::startsWith)
                    || Stream.concat(NEVER.stream(), restricted.stream()).noneMatch(plain::startsWith);
        }
    }

    record VmTemplate(int id, String name, Element template) implements Thing {}

    /** The datastore without a choice: the oldest, so that a new one changes nothing. */
    static Optional<Datastore> usual(List<Datastore> all) {
        return all.stream().min(Comparator.comparingInt(Thing::id));
    }

    /** Finds an object by name, else by id. Of several with the name, the oldest: lists begin with the newest. */
    static <T extends Thing> Optional<T> find(List<T> all, String nameOrId) {
        return all.stream()
                .filter(one -> one.name().equals(nameOrId))
                .min(Comparator.comparingInt(Thing::id))
                .or(() -> all.stream()
                        .filter(one -> String.valueOf(one.id()).equals(nameOrId))
                        .findFirst());
    }
}
