package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits and use of a user and of that user's group.
 *
 * @param limits without unlimited ones
 */
record Quotas(List<Limit> limits) {
    static final Quotas NONE = new Quotas(List.of());

    /**
     * @param owner as messages name it: {@code user alice}
     * @param of the id of the datastore or network; -1 for other limits
     */
    record Limit(String owner, What what, int of, double limit, double used) {
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
        SYSTEM_DISK("VM_QUOTA/VM", "SYSTEM_DISK_SIZE", "MiB of system disks"),
        IMAGES("DATASTORE_QUOTA/DATASTORE", "IMAGES", "images in one datastore"),
        SIZE("DATASTORE_QUOTA/DATASTORE", "SIZE", "MiB in one datastore"),
        LEASES("NETWORK_QUOTA/NETWORK", "LEASES", "addresses of one virtual network");

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
            var own = ofWholeCloud(holder.all(what.path));
            if (own.isEmpty() && what.path.startsWith("VM_QUOTA")) {
                // Before the first use: use is not recorded yet, and the default limit applies.
                usual.stream()
                        .findFirst()
                        .map(found -> decimal(found, what.key))
                        .filter(limit -> limit >= 0)
                        .ifPresent(limit -> limits.add(new Limit(owner, what, -1, limit, 0)));
            }
            for (var quota : own) {
                int of = what.path.startsWith("VM_QUOTA") ? -1 : quota.id();
                var limit = decimal(quota, what.key);
                if (limit == DEFAULT) {
                    limit = usual.stream()
                            .filter(found -> of == -1 || found.id() == of)
                            .findFirst()
                            .map(found -> decimal(found, what.key))
                            .orElse(DEFAULT);
                }
                if (limit >= 0) {
                    limits.add(new Limit(owner, what, of, limit, Math.max(0, decimal(quota, what.key + "_USED"))));
                }
            }
        }
    }

    /** 7.0 also has quotas per cluster. */
    private static List<Element> ofWholeCloud(List<Element> quotas) {
        return quotas.stream()
                .filter(quota -> quota.text("CLUSTER_IDS").isEmpty())
                .toList();
    }

    private static double decimal(Element quota, String key) {
        var text = quota.text(key);
        return text.matches("-?[0-9]+([.][0-9]+)?") ? Double.parseDouble(text) : DEFAULT;
    }
}
