package io.deepsite.lxd;

import io.deepsite.site.Key;
import java.util.Optional;

/** An image that a server hands out by simplestreams. */
public record LxdImage(
        @Key(
                value = "Address of the server; the daemon itself fetches from it, over https only.",
                example = "https://images.example/",
                pattern = "https://[A-Za-z0-9.\\[\\]:-]+(/[A-Za-z0-9/._~-]*)?")
        String server,

        @Key(
                value = "What the server calls the image.",
                example = "debian/12/cloud",
                pattern = "[A-Za-z0-9][A-Za-z0-9/._-]{0,127}")
        String alias,

        @Key(
                value = "What the image is one of.",
                defaultValue = "container",
                choices = {"container", "virtual-machine"})
        String type,

        @Key(
                value =
                        "Certificate (PEM) of the server, where no authority that the daemon's host knows has signed it.",
                example = "images.crt")
        Optional<String> certificate) {}
