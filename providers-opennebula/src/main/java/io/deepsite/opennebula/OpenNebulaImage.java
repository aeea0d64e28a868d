package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import io.deepsite.site.OneOf;
import io.deepsite.site.OtherKeys;
import java.util.Optional;

/** Where one image comes from: it is there under another name, or OpenNebula fetches it. */
@OneOf(
        value = {"use", "path", "url", "app"},
        why = "An image exists already, or is made from a file, an address or an app of a marketplace.",
        none = Code.IMAGE_UNCLEAR,
        both = Code.IMAGE_UNCLEAR)
public record OpenNebulaImage(
        @Key(value = "Name or id of an image that exists.", example = "debian-12-2026", impact = ChangeImpact.REPLACE)
        Optional<String> use,

        @Key(
                value =
                        "A file on the front-end, below a folder that its datastore may read (SAFE_DIRS), to make an image from.",
                example = "/var/tmp/debian-12.qcow2",
                pattern = "/[^\\s\"'$`;|&<>]+",
                impact = ChangeImpact.REPLACE)
        Optional<String> path,

        @Key(
                value = "An address that the front-end fetches the image from.",
                example = "https://images.example/debian-12.qcow2",
                pattern = "https?://[^\\s\"'$`;|<>]+",
                impact = ChangeImpact.REPLACE)
        Optional<String> url,

        @Key(
                value = "Name or id of an app of a marketplace that the front-end knows.",
                example = "Debian 12",
                impact = ChangeImpact.REPLACE)
        Optional<String> app,

        @Key(
                value = "Format of a file or address.",
                defaultValue = "qcow2",
                choices = {"qcow2", "raw"},
                excludes =
                        @OtherKeys(
                                value = {"use", "app"},
                                why = "It is the format of what is fetched from a file or an address.",
                                fix = "Remove the key.",
                                code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        String format) {}
