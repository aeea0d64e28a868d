package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Size;
import java.util.Optional;

public record LxdPool(
        @Key(
                value = "Name of the pool: at most 63 letters, digits, dots, hyphens or underscores.",
                defaultValue = "deepsite",
                example = "nova",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                impact = ChangeImpact.REPLACE)
        String name,

        @Key(
                value = "Storage driver. The driver dir is left out: it copies the whole image for every machine and"
                        + " cannot keep disk limits.",
                defaultValue = "btrfs",
                choices = {"btrfs", "zfs", "lvm", "ceph"},
                impact = ChangeImpact.REPLACE)
        String driver,

        @Key(
                value = "Size of the loop file when the pool is made.",
                defaultValue = "20GiB",
                example = "100GiB",
                excludes =
                        @OtherKeys(
                                value = {"device", "source", "driver=ceph"},
                                why = "It is the size of a loop file.",
                                code = Code.NO_EFFECT))
        Size size,

        @Key(
                value = "A block device for the pool, instead of a loop file.",
                example = "/dev/sdb",
                pattern = "/dev/[A-Za-z0-9/_.:-]+",
                excludes =
                        @OtherKeys(
                                value = "driver=ceph",
                                why = "Ceph itself keeps the devices, and gives a pool.",
                                fix = "Name the pool of Ceph as source, or leave both out: one is made."),
                impact = ChangeImpact.REPLACE)
        Optional<String> device,

        @Key(
                value =
                        "What exists already and the pool is made in: a dataset of zfs, a volume group of lvm, a pool of"
                                + " Ceph.",
                example = "tank/lxd",
                pattern = "[A-Za-z0-9][A-Za-z0-9/_.:-]{0,127}",
                excludes = {
                    @OtherKeys(value = "device", why = "The pool is made on a device, or in something that exists."),
                    @OtherKeys(
                            value = "driver=btrfs",
                            why = "A pool of driver btrfs is a loop file or a device of its own.",
                            fix = "Name the device, or choose driver zfs, lvm or ceph.")
                },
                impact = ChangeImpact.REPLACE)
        Optional<String> source) {}
