package io.deepsite.opennebula;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import java.util.Optional;

/** Where one image comes from: it is there under another name, or OpenNebula fetches it. */
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
                impact = ChangeImpact.REPLACE)
        String format) {}
