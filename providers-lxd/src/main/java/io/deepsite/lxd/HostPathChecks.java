package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.util.HashMap;
import java.util.Map;

/** What of the host a container may see. Links on the host only the provider can follow. */
final class HostPathChecks {
    private final Places places;
    private final Findings findings;

    HostPathChecks(Places places, Findings findings) {
        this.places = places;
        this.findings = findings;
    }

    /** @param group path of the group's settings in site.yaml */
    void check(LxdMachines machines, String group) {
        var taken = new HashMap<String, String>();
        machines.devices().forEach((name, device) -> {
            String path = group + ".devices." + name;
            HostPaths.deviceFault(device.source())
                    .ifPresent(why -> refuse(path + ".source", why, "Name another device, or ask for cards by gpus."));
            inside(
                    device.path().orElse(device.source()),
                    path + (device.path().isPresent() ? ".path" : ".source"),
                    taken);
        });
        machines.folders().forEach((name, folder) -> {
            String path = group + ".folders." + name;
            HostPaths.folderFault(folder.source())
                    .ifPresent(why -> refuse(
                            path + ".source",
                            why,
                            "Keep what machines share in a folder of its own, such as /srv/data."));
            HostPaths.targetFault(folder.path())
                    .ifPresent(why -> refuse(path + ".path", why, "Mount it at a place of its own, such as /data."));
            inside(folder.path(), path + ".path", taken);
        });
    }

    private void inside(String target, String path, Map<String, String> taken) {
        var other = taken.putIfAbsent(target, path);
        if (other != null) {
            findings.faultOnce(
                    Code.DUPLICATE_ENTRY,
                    places.of(path),
                    target + " in the machine is taken by " + other + " already.",
                    "Give one of them another path.");
        }
    }

    private void refuse(String path, String why, String fix) {
        findings.faultOnce(Code.HOST_PATH, places.of(path), why, fix);
    }
}
