package io.deepsite.cluster.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;

/**
 * What must hold between the keys of the LXD of hosts.
 *
 * @param path of the LXD in site.yaml
 */
record LxdStorageChecks(Site site, Places places, Findings findings, LxdStorage lxd, String path) {

    void run() {
        lxd.device().ifPresent(this::device);
        for (int i = 0; i < lxd.users().size(); i++) {
            var user = lxd.users().get(i);
            if (!site.users().containsKey(user) && !findings.isUnsound("users")) {
                var known = site.users().keySet().stream().map(Name::value).toList();
                findings.faultOnce(
                        Code.NOT_NAMED,
                        places.of(path + ".users[" + i + "]"),
                        "There is no user " + user + " under users.",
                        Wording.didYouMean(user.value(), known, "Name one of them, or add it there."));
            }
        }
    }

    private void device(String device) {
        if (!device.startsWith("/") && !lxd.driver().equals("zfs")) {
            fault(
                    "device",
                    device + " would be a zpool or dataset, and the driver is " + lxd.driver() + ".",
                    "Name a disk with its full path, or write driver: zfs.");
        } else if (device.startsWith("/")
                && !device.startsWith("/dev/")
                && !lxd.driver().equals("btrfs")) {
            fault(
                    "device",
                    "A folder can be a pool of btrfs alone, and the driver is " + lxd.driver() + ".",
                    "Name a disk, or write driver: btrfs.");
        }
    }

    private void fault(String key, String why, String fix) {
        findings.faultOnce(Code.NOT_TOGETHER, places.of(path + "." + key), why, fix);
    }
}
