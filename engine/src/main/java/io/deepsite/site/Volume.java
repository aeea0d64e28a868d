package io.deepsite.site;

import io.deepsite.diag.Code;
import java.util.List;
import java.util.Optional;

/** A file system for data, which all machines of several groups mount at the same place. */
public record Volume(
        @Key(
                value = "Where the machines mount it, a full path.",
                example = "/data",
                pattern = "(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}){1,16}",
                impact = ChangeImpact.REBOOT,
                confined = true)
        String mount,

        @Key(
                value = "The groups whose machines mount it.",
                example = "[head, node]",
                required = true,
                impact = ChangeImpact.REBOOT)
        List<Name> groups,

        @Key(
                value = "Size of the volume, where the provider makes one.",
                example = "100GiB",
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<Size> size,

        @Key(
                value = "An export of an NFS server that exists already, in place of a volume of the site's own.",
                example = "filer.example.org:/export/data",
                pattern = Volume.EXPORT,
                excludes = {
                    @OtherKeys(value = "size", code = Code.NO_EFFECT),
                    @OtherKeys(value = "server", code = Code.NO_EFFECT),
                    @OtherKeys(value = "owner", code = Code.NO_EFFECT),
                    @OtherKeys(value = "group", code = Code.NO_EFFECT),
                    @OtherKeys(value = "mode", code = Code.NO_EFFECT),
                    @OtherKeys(value = "keep", code = Code.NO_EFFECT)
                },
                impact = ChangeImpact.FILE)
        Optional<String> nfs,

        @Key(
                value =
                        "The group (of one machine) that holds the data and serves it to the others by NFS, where several"
                                + " machines cannot mount one volume of the provider.",
                example = "head",
                impact = ChangeImpact.FILE)
        Optional<Name> server,

        @Key(
                value = "The user to whom the mounted folder belongs; root when left out.",
                example = "alice",
                impact = ChangeImpact.FILE)
        Optional<Name> owner,

        @Key(
                value = "The Unix group to which the mounted folder belongs; root when left out.",
                example = "physics",
                impact = ChangeImpact.FILE)
        Optional<Name> group,

        @Key(
                value =
                        "Permissions of the mounted folder, in octal; without a group everybody may write there, as below"
                                + " /tmp, else the group.",
                example = "2770",
                pattern = "[0-7]{4}",
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<String> mode,

        @Key(
                value =
                        "Leave the volume on the back-end when the site is destroyed or its lease is over; the next site of"
                                + " the same name takes it up with its contents.",
                defaultValue = "false",
                impact = ChangeImpact.FILE,
                beyond = true)
        boolean keep) {

    /** What {@code SERVER:/PATH} of an export looks like. */
    public static final String EXPORT = "[A-Za-z0-9][A-Za-z0-9.-]{0,252}:(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}){1,16}";

    public Volume {
        groups = List.copyOf(groups);
    }

    /** Permissions that the mounted folder has. */
    public String permissions() {
        return mode.orElse(group.isPresent() ? "2770" : "1777");
    }
}
