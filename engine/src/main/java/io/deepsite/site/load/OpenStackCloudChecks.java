package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.OpenStackCloud;
import java.util.List;

/** What nova-lxd can do, and what this deepsite does with it. */
final class OpenStackCloudChecks {
    /** With which nova-lxd works; its last is Stein's, and of older ones deepsite knows no options. */
    private static final List<String> WITH_LXD = List.of("queens", "rocky", "stein");

    private final Places places;
    private final Findings findings;
    private final OpenStackCloud cloud;
    private final String path;

    OpenStackCloudChecks(Places places, Findings findings, OpenStackCloud cloud, String path) {
        this.places = places;
        this.findings = findings;
        this.cloud = cloud;
        this.path = path;
    }

    void run() {
        method();
        if (!WITH_LXD.contains(cloud.release())) {
            fault(
                    Code.NOT_WITH_RELEASE,
                    path + ".release",
                    "Nova has a driver for LXD, nova-lxd, in " + Wording.allOf(WITH_LXD)
                            + " alone: it was given up after Stein.",
                    Wording.didYouMean(cloud.release(), WITH_LXD, "Name one of these."));
        }
        if (!cloud.given()) {
            fault(
                    Code.INSTALLER_UNSUITED,
                    path + ".given",
                    "This version does not install OpenStack; it puts compute hosts of one that stands right.",
                    "Install OpenStack, then write given: true.");
        }
        storage();
        new LxdStorageChecks(places, findings, cloud.lxd(), path + ".lxd").run();
    }

    private void method() {
        switch (cloud.method()) {
            case "juju" ->
                fault(
                        Code.INSTALLER_UNSUITED,
                        path + ".method",
                        "Juju puts nova-compute into a container of its own, with an LXD 2.0 inside that gives no GPUs to"
                                + " instances and knows no pools.",
                        "Use DevStack, or packages.");
            case "openstack-ansible" ->
                fault(
                        Code.INSTALLER_UNSUITED,
                        path + ".method",
                        "openstack-ansible writes nova.conf anew at each run, so that options put there are lost.",
                        "Let kind: lxd-host make the pool, and write into /etc/openstack_deploy/user_variables.yml:",
                        "nova_virt_type: lxd",
                        "lxd_storage_backend: btrfs",
                        "lxd_storage_pool: " + cloud.lxd().pool(),
                        "nova_nova_conf_overrides: {lxd: {allow_live_migration: true}}");
            default -> {}
        }
    }

    private void storage() {
        var lxd = cloud.lxd();
        if (lxd.driver().equals("lvm")) {
            fault(
                    Code.NOT_TOGETHER,
                    path + ".lxd.driver",
                    "nova-lxd asks LXD for storage.lvm_vg_name, which LXD has not had since its version 3.",
                    "Write btrfs or zfs.");
        }
        if (!lxd.removesLeftover()) {
            fault(
                    Code.NOT_TOGETHER,
                    path + ".lxd.leftover",
                    "LXD tells the drivers of all its pools in one text, and nova-lxd knows no storage that is called"
                            + " \"dir | " + lxd.driver() + "\".",
                    "Remove the key: other pools go when they hold nothing.");
        }
        lxd.device()
                .filter(device -> lxd.driver().equals("zfs") && !device.startsWith("/") && !device.equals(lxd.pool()))
                .ifPresent(dataset -> fault(
                        Code.NOT_TOGETHER,
                        path + ".lxd.device",
                        "nova-lxd asks zpool for the figures of " + lxd.pool() + ", by the name of LXD's pool.",
                        "Give pool and zpool one name."));
    }

    private void fault(Code code, String place, String why, String fix, String... commands) {
        if (!findings.isUnsound(place)) {
            findings.fault(code, places.of(place), why, fix, commands);
        }
    }
}
