package io.deepsite.site;

import java.util.Optional;

/** Devices that a host gives to virtual machines: one by its address, or all of a kind. The numbers are those of {@code lspci -n}. */
public record PassedDevice(
        @Key(value = "An exact device, by address on the host.", example = "0000:3b:00.0", blast = Blast.REBOOT)
        Optional<PciAddress> address,

        @Key(
                value =
                        "All of a kind: vendor:device:class, each four hexadecimal digits; ? is any digit, * any digits.",
                example = "10de:1eb8:0302",
                pattern = "[0-9a-f?*]{1,4}:[0-9a-f?*]{1,4}(:[0-9a-f?*]{1,4})?",
                blast = Blast.REBOOT)
        Optional<String> kind) {}
