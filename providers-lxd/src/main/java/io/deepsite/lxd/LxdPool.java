package io.deepsite.lxd;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
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
                value = "Storage driver. LXD's dir driver is left out: it copies the whole image for every machine and"
                        + " cannot keep disk limits.",
                defaultValue = "btrfs",
                choices = {"btrfs", "zfs", "lvm", "ceph"},
                impact = ChangeImpact.REPLACE)
        String driver,

        @Key(value = "Size of the loop file when the pool is made.", defaultValue = "20GiB", example = "100GiB")
        Size size,

        @Key(
                value = "A block device for the pool, instead of a loop file.",
                example = "/dev/sdb",
                pattern = "/dev/[A-Za-z0-9/_.:-]+",
                impact = ChangeImpact.REPLACE)
        Optional<String> device,

        @Key(
                value =
                        "What exists already and the pool is made in: a dataset of zfs, a volume group of lvm, a pool of"
                                + " Ceph.",
                example = "tank/lxd",
                pattern = "[A-Za-z0-9][A-Za-z0-9/_.:-]{0,127}",
                impact = ChangeImpact.REPLACE)
        Optional<String> source) {}
