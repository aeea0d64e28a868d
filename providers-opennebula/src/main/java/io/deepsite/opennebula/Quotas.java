package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Limits and use of a user and of that user's group.
 *
 * @param limits without unlimited ones
 */
record Quotas(List<Limit> limits) {
    /** In {@link Limit#of}: of all of the cloud, or of clusters. */
    static final int ALL = -1;

    static final Quotas NONE = new Quotas(List.of());

    /**
     * @param owner as messages name it: {@code user alice}
     * @param of the id of the datastore, image or network; {@link #ALL} for other limits
     * @param clusters whose machines together it limits; empty for all of the cloud
     */
    record Limit(String owner, What what, int of, Set<Integer> clusters, double limit, double used) {
        Limit {
            clusters = Set.copyOf(clusters);
        }

        double left() {
            return Math.max(0, limit - used);
        }
    }

    enum What {
        VMS("VM_QUOTA/VM", "VMS", "VMs"),
        CPU("VM_QUOTA/VM", "CPU", "cpus"),
        MEMORY("VM_QUOTA/VM", "MEMORY", "MiB of memory"),
        RUNNING_VMS("VM_QUOTA/VM", "RUNNING_VMS", "running VMs"),
        RUNNING_CPU("VM_QUOTA/VM", "RUNNING_CPU", "cpus of running VMs"),
        RUNNING_MEMORY("VM_QUOTA/VM", "RUNNING_MEMORY", "MiB of memory of running VMs"),
        PCI_DEVICES("VM_QUOTA/VM", "PCI_DEV", "PCI devices"),
        RUNNING_PCI_DEVICES("VM_QUOTA/VM", "RUNNING_PCI_DEV", "PCI devices of running VMs"),
        SYSTEM_DISK("VM_QUOTA/VM", "SYSTEM_DISK_SIZE", "MiB of system disks"),
        IMAGES("DATASTORE_QUOTA/DATASTORE", "IMAGES", "images"),
        SIZE("DATASTORE_QUOTA/DATASTORE", "SIZE", "MiB"),
        IMAGE_VMS("IMAGE_QUOTA/IMAGE", "RVMS", "VMs"),
        LEASES("NETWORK_QUOTA/NETWORK", "LEASES", "addresses");

        private final String path;
        private final String key;
        private final String words;

        What(String path, String key, String words) {
            this.path = path;
            this.key = key;
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    private static final double DEFAULT = -1;

    Quotas {
        limits = List.copyOf(limits);
    }

    /** oneadmin and its group have no limits. */
    static Quotas of(Element user, Optional<Element> group) {
        if (user.id() == 0 || user.number("GID") == 0) {
            return NONE;
        }
        var limits = new ArrayList<Limit>();
        read("user " + user.text("NAME"), user, "DEFAULT_USER_QUOTAS", limits);
        group.ifPresent(found -> read("group " + found.text("NAME"), found, "DEFAULT_GROUP_QUOTAS", limits));
        return new Quotas(limits);
    }

    private static void read(String owner, Element holder, String defaults, List<Limit> limits) {
        for (var what : What.values()) {
            var usual = holder.first(defaults).map(all -> all.all(what.path)).orElse(List.of());
            var own = holder.all(what.path);
            var used = own.stream()
                    .filter(quota -> clusters(quota).isEmpty())
                    .map(quota -> of(what, quota))
                    .toList();
            // Before the first use: use is not recorded yet, and the default limit applies.
            usual.stream()
                    .filter(quota -> !used.contains(of(what, quota)))
                    .filter(quota -> decimal(quota, what.key) >= 0)
                    .map(quota -> new Limit(owner, what, of(what, quota), Set.of(), decimal(quota, what.key), 0))
                    .forEach(limits::add);
            for (var quota : own) {
                int of = of(what, quota);
                var clusters = clusters(quota);
                var limit = decimal(quota, what.key);
                if (limit == DEFAULT && clusters.isEmpty()) {
                    limit = usual.stream()
                            .filter(found -> of(what, found) == of)
                            .findFirst()
                            .map(found -> decimal(found, what.key))
                            .orElse(DEFAULT);
                }
                if (limit >= 0) {
                    limits.add(new Limit(
                            owner, what, of, clusters, limit, Math.max(0, decimal(quota, what.key + "_USED"))));
                }
            }
        }
    }

    private static int of(What what, Element quota) {
        return what.path.startsWith("VM_QUOTA") ? ALL : quota.id();
    }

    /**
     * From 7.0 on, users and groups have quotas for machines in some clusters, beside those of the whole cloud. Such a
     * quota has no default limit.
     */
    private static Set<Integer> clusters(Element quota) {
        return Stream.of(quota.text("CLUSTER_IDS").split(","))
                .filter(id -> id.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
    }

    private static double decimal(Element quota, String key) {
        var text = quota.text(key);
        return text.matches("-?[0-9]+([.][0-9]+)?") ? Double.parseDouble(text) : DEFAULT;
    }
}
