package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.LxdHost;
import io.deepsite.site.LxdStorage;
import java.util.ArrayList;
import java.util.List;

/** What must hold between the keys of hosts of LXD. */
final class LxdHostChecks {
    private final Places places;
    private final Findings findings;
    private final LxdHost cluster;
    private final String path;

    LxdHostChecks(Places places, Findings findings, LxdHost cluster, String path) {
        this.places = places;
        this.findings = findings;
        this.cluster = cluster;
        this.path = path;
    }

    void run() {
        storage(places, findings, cluster.lxd(), path + ".lxd");
    }

    /** For every kind whose hosts have LXD. */
    static void storage(Places places, Findings findings, LxdStorage lxd, String path) {
        if (lxd.device().isPresent() && places.has(path + ".size")) {
            fault(
                    places,
                    findings,
                    Code.NOT_TOGETHER,
                    path + ".size",
                    "A pool on " + lxd.device().get() + " is as large as that is.",
                    "Remove size, or device.");
        }
        lxd.device()
                .filter(device -> device.startsWith("/") && !device.startsWith("/dev/"))
                .ifPresent(folder -> {
                    if (!lxd.driver().equals("btrfs")) {
                        fault(
                                places,
                                findings,
                                Code.NOT_TOGETHER,
                                path + ".device",
                                "A folder can be a pool of btrfs alone, and the driver is " + lxd.driver() + ".",
                                "Name a disk, or write driver: btrfs.");
                    }
                });
        lxd.device().filter(device -> !device.startsWith("/")).ifPresent(dataset -> {
            if (!lxd.driver().equals("zfs")) {
                fault(
                        places,
                        findings,
                        Code.NOT_TOGETHER,
                        path + ".device",
                        dataset + " would be a zpool or dataset, and the driver is " + lxd.driver() + ".",
                        "Name a disk with its full path, or write driver: zfs.");
            }
        });
    }

    /** Names of groups that must exist, by their place. */
    List<KubernetesChecks.Named> groups() {
        var groups = new ArrayList<KubernetesChecks.Named>();
        for (int i = 0; i < cluster.hosts().size(); i++) {
            groups.add(new KubernetesChecks.Named(cluster.hosts().get(i), path + ".hosts[" + i + "]"));
        }
        return groups;
    }

    private static void fault(Places places, Findings findings, Code code, String place, String why, String fix) {
        if (!findings.isUnsound(place)) {
            findings.fault(code, places.of(place), why, fix);
        }
    }
}
