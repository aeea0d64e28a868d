package io.deepsite.site;

import java.util.Optional;

/**
 * Devices that a host gives to virtual machines: one by its address, all of a kind, or all of a model. The numbers are those
 * of {@code lspci -n}.
 */
@OneOf(
        value = {"address", "kind", "model"},
        why = "A device is chosen by its address, by its kind (lspci -nn shows both), or by its model.")
public record PassedDevice(
        @Key(value = "An exact device, by address on the host.", example = "0000:3b:00.0", impact = ChangeImpact.REBOOT)
        Optional<PciAddress> address,

        @Key(
                value =
                        "All of a kind: vendor:device:class, each four hexadecimal digits; ? is any digit, * any digits.",
                example = "10de:1eb8:0302",
                pattern = "[0-9a-f?*]{1,4}:[0-9a-f?*]{1,4}(:[0-9a-f?*]{1,4})?",
                impact = ChangeImpact.REBOOT)
        Optional<String> kind,

        @Key(
                value = "All of a model of NVIDIA's cards, by its name without case, blanks and hyphens.",
                example = "tesla-t4",
                impact = ChangeImpact.REBOOT)
        Optional<String> model,

        @Key(
                value = "The host keeps the device and gives away this many virtual functions of it (SR-IOV), which it"
                        + " gets anew at each start.",
                example = "4",
                min = 1,
                max = 256,
                impact = ChangeImpact.REBOOT)
        Optional<Integer> virtualFunctions) {}
