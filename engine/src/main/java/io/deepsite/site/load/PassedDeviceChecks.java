package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.PassedDevice;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.Map;

/** Devices that hosts give away. Whether they are there, and may go, only the hosts can tell. */
final class PassedDeviceChecks {
    private final Site site;
    private final Places places;
    private final Findings findings;

    PassedDeviceChecks(Site site, Places places, Findings findings) {
        this.site = site;
        this.places = places;
        this.findings = findings;
    }

    void run() {
        site.machines().forEach(this::group);
    }

    private void group(Name name, MachineGroup group) {
        String path = "machines." + name + ".passthrough";
        if (group.passthrough().isEmpty() || findings.isUnsound(path)) {
            return;
        }
        if (!(site.provider() instanceof ProviderSettings.Static) && !findings.isUnsound("provider")) {
            findings.fault(
                    Code.NOT_WITH_PROVIDER,
                    places.ofKey(path),
                    "A machine that the provider makes has no IOMMU of its own: the host below it gives devices away.",
                    "Remove the key, or bring the hosts in an inventory (provider: static).");
        }
        var given = used(name, group);
        for (int i = 0; i < group.passthrough().size(); i++) {
            device(group.passthrough().get(i), path + "[" + i + "]", given);
        }
    }

    /** Cards that the host itself shall use, with their places. */
    private static Map<String, String> used(Name name, MachineGroup group) {
        var used = new HashMap<String, String>();
        for (int i = 0; i < group.gpus().size(); i++) {
            for (var address : group.gpus().get(i).pci()) {
                used.put(address.value(), "machines." + name + ".gpus[" + i + "]");
            }
        }
        return used;
    }

    private void device(PassedDevice device, String path, Map<String, String> given) {
        if (findings.isUnsound(path)) {
            return;
        }
        if (device.address().isPresent() && device.kind().isPresent()) {
            findings.fault(
                    Code.NOT_TOGETHER,
                    places.ofKey(path + ".kind"),
                    "A device is chosen by its address, or by what it is.",
                    "Keep one of the two.");
        } else if (device.address().isEmpty() && device.kind().isEmpty()) {
            findings.fault(
                    Code.MISSING_KEY,
                    places.of(path),
                    "Nothing here says which device.",
                    "Add address, or kind: both stand in what lspci -nn shows.");
        }
        device.address().ifPresent(address -> {
            var other = given.putIfAbsent(address.value(), path);
            if (other != null) {
                findings.fault(
                        Code.CARD_TWICE,
                        places.of(path + ".address"),
                        "The device " + address + " stands at " + other + " already.",
                        "A device is given away once, and its host then has no use of it; remove one of the two.");
            }
        });
    }
}
