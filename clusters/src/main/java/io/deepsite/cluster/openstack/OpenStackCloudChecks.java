package io.deepsite.cluster.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.NamedGroup;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.List;

/** What nova-lxd can do, and what this deepsite does with it. */
final class OpenStackCloudChecks {
    private static final List<String> WITH_LXD = OpenStackRelease.words();

    private final CheckContext context;
    private final Name name;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final OpenStackCloud cloud;
    private final String path;

    OpenStackCloudChecks(CheckContext context, Name name, OpenStackCloud cloud) {
        this.context = context;
        this.name = name;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.cloud = cloud;
        this.path = "clusters." + name;
    }

    void run() {
        NamedGroup.of(cloud.control(), path + ".control").forEach(context::groupExists);
        context.claim("LXD", name, NamedGroup.of(cloud.compute(), path + ".compute"));
        if (!WITH_LXD.contains(cloud.release())) {
            findings.faultOnce(
                    Code.NOT_WITH_RELEASE,
                    places.of(path + ".release"),
                    "Nova has a driver for LXD, nova-lxd, in " + Wording.allOf(WITH_LXD)
                            + " alone: it was given up after Stein.",
                    Wording.didYouMean(cloud.release(), WITH_LXD, "Name one of these."));
        }
        firstRun();
        method();
        if (cloud.ceph()) {
            findings.faultOnce(
                    Code.NOT_TOGETHER,
                    places.of(path + ".ceph"),
                    "No volume of Ceph can be attached to an instance of LXD: nova-lxd has never had working code for it.",
                    "Remove the key. Instances keep their disks in LXD's pool.");
        }
        int cinder = cloud.services().indexOf("cinder");
        if (cinder >= 0) {
            findings.faultOnce(
                    Code.NOT_TOGETHER,
                    places.of(path + ".services[" + cinder + "]"),
                    "No volume of Cinder can be attached to an instance of LXD: nova-lxd has never had working code for it.",
                    "Remove it. Start instances without a new volume.");
        }
        storage();
        new LxdStorageChecks(site, places, findings, cloud.lxd(), path + ".lxd").run();
    }

    private void firstRun() {
        OpenStackRelease.of(cloud.release())
                .filter(release -> cloud.firstRun().isPresent() && !release.servesTheProvider())
                .ifPresent(release -> findings.faultOnce(
                        Code.NOT_WITH_RELEASE,
                        places.of(path + ".firstRun"),
                        "The machines of a first run are made by the provider openstack, which needs Nova's microversion "
                                + OpenStackRelease.wantedMicroversion() + "; the Nova of " + release.word()
                                + " ends at "
                                + release.microversion() + ".",
                        "Remove firstRun, or write release: stein."));
    }

    private void method() {
        switch (cloud.method()) {
            case "juju" ->
                findings.faultOnce(
                        Code.INSTALLER_UNSUITED,
                        places.of(path + ".method"),
                        "Juju puts nova-compute into a container of its own, with an LXD 2.0 inside that gives no GPUs to"
                                + " instances and knows no pools.",
                        "Use openstack-ansible, or DevStack.");
            case "openstack-ansible" -> openStackAnsible();
            case "devstack" -> {
                if (!cloud.given()) {
                    new OpenStackInstallChecks(site, places, findings, cloud, path).devStack();
                }
            }
            default -> {}
        }
    }

    private void openStackAnsible() {
        if (!cloud.given()) {
            new OpenStackInstallChecks(site, places, findings, cloud, path).openStackAnsible();
            return;
        }
        findings.faultOnce(
                Code.INSTALLER_UNSUITED,
                places.of(path + ".method"),
                "openstack-ansible rewrites nova.conf at each run, so options set there are lost.",
                "Remove given, and deepsite runs openstack-ansible itself. Or let kind: lxd-host make the pool, and write"
                        + " into /etc/openstack_deploy/user_variables.yml:",
                "nova_virt_type: lxd",
                "lxd_storage_backend: btrfs",
                "lxd_storage_pool: " + cloud.lxd().pool());
    }

    private void storage() {
        var lxd = cloud.lxd();
        if (lxd.driver().equals("lvm")) {
            findings.faultOnce(
                    Code.NOT_TOGETHER,
                    places.of(path + ".lxd.driver"),
                    "nova-lxd asks LXD for storage.lvm_vg_name, which LXD has not had since its version 3.",
                    "Write btrfs or zfs.");
        }
        if (!lxd.removesLeftover()) {
            findings.faultOnce(
                    Code.NOT_TOGETHER,
                    places.of(path + ".lxd.leftover"),
                    "LXD reports the drivers of all its pools in one text, and nova-lxd knows no storage that is called"
                            + " \"dir | " + lxd.driver() + "\".",
                    "Remove the key: other pools go when they hold nothing.");
        }
        lxd.device()
                .filter(device -> lxd.driver().equals("zfs") && !device.startsWith("/") && !device.equals(lxd.pool()))
                .ifPresent(dataset -> findings.faultOnce(
                        Code.NOT_TOGETHER,
                        places.of(path + ".lxd.device"),
                        "nova-lxd asks zpool for the figures of " + lxd.pool() + ", by the name of LXD's pool.",
                        "Give pool and zpool one name."));
    }
}
