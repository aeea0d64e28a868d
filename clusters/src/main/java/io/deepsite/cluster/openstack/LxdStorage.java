package io.deepsite.cluster.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Size;
import java.util.List;
import java.util.Optional;

/** The storage of a host's own LXD. */
public record LxdStorage(
        @Key(
                value = "Name of the pool: at most 63 letters, digits, dots, hyphens or underscores.",
                defaultValue = "nova",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}",
                impact = ChangeImpact.RESTART)
        String pool,

        @Key(
                value =
                        "Its storage driver. LXD's dir is left out: it copies the whole image for every instance and cannot"
                                + " keep disk limits.",
                defaultValue = "btrfs",
                choices = {"btrfs", "zfs", "lvm"},
                impact = ChangeImpact.RESTART)
        String driver,

        @Key(
                value = "Size of the loop file when the pool is made.",
                defaultValue = "60GiB",
                example = "200GiB",
                excludes = @OtherKeys(value = "device", why = "A pool is as large as its device."),
                impact = ChangeImpact.NOTHING)
        Size size,

        @Key(
                value = "What the pool is made of instead of a loop file: an empty disk, a new folder of a btrfs file"
                        + " system, or a zpool or dataset.",
                example = "/dev/sdb",
                pattern = "[A-Za-z0-9/][A-Za-z0-9/_.:-]*",
                impact = ChangeImpact.NOTHING)
        Optional<String> device,

        @Key(
                value = "What becomes of LXD's other pools: they are removed when they hold nothing, or kept.",
                defaultValue = "remove",
                choices = {"remove", "keep"},
                impact = ChangeImpact.RESTART)
        String leftover,

        @Key(
                value =
                        "Move instances that lie in other pools; each is stopped for that and then started again. Asks for"
                                + " consent.",
                defaultValue = "false",
                impact = ChangeImpact.RESTART)
        boolean moveInstances,

        @Key(
                value = "The hosts have LXD already, the snap's or another.",
                defaultValue = "false",
                impact = ChangeImpact.NOTHING)
        boolean given,

        @Key(
                value =
                        "Move what the distribution's LXD holds into the snap's and remove its packages (lxd.migrate). Asks"
                                + " for consent.",
                defaultValue = "false",
                requires =
                        @OtherKeys(
                                value = "given",
                                why =
                                        "The snap's LXD takes over; without given deepsite installs the distribution's packages.",
                                fix = "Install the snap and write given: true, or remove migrate.",
                                code = Code.NOT_TOGETHER),
                impact = ChangeImpact.RESTART)
        boolean migrate,

        @Key(
                value = "Users of the site who may use LXD, which is as much as root may on the host.",
                example = "[alice]",
                impact = ChangeImpact.FILE)
        List<Name> users,

        @Key(
                value = "Raise limits of the kernel and of open files for many containers.",
                defaultValue = "true",
                impact = ChangeImpact.FILE)
        boolean tuning,

        @Key(
                value = "MTU of the network card that the default profile gives to instances.",
                example = "9000",
                impact = ChangeImpact.RESTART,
                min = 1280,
                max = 65_535)
        Optional<Integer> mtu) {
    public LxdStorage {
        users = List.copyOf(users);
    }

    public boolean removesLeftover() {
        return leftover.equals("remove");
    }
}
