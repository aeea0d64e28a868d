package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.GpuCard;
import io.deepsite.site.GpuTable;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.PassedDevice;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Devices that hosts give away. Only the hosts know whether they exist and may be given away. */
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
        if (!site.provider().machinesExist() && !findings.isUnsound("provider")) {
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

    private void model(String model, String place) {
        var cards = GpuTable.known().called(model);
        if (cards.isEmpty()) {
            findings.fault(
                    Code.MODEL_UNKNOWN,
                    places.of(place),
                    "The table of cards has no " + Wording.quoted(model) + ".",
                    Wording.didYouMean(
                            model,
                            GpuTable.known().cards().stream()
                                    .map(GpuCard::model)
                                    .distinct()
                                    .toList(),
                            "Write the kind instead, as lspci -nn shows it."));
        } else {
            consumer(cards, place);
        }
    }

    /** Source: linuxiac.com/nvidia-gpu-passthrough-to-windows-vm-from-linux-host, on NVIDIA's announcement with R465. */
    private void consumer(List<GpuCard> cards, String place) {
        if (!findings.isUnsound(place) && cards.stream().allMatch(card -> card.market() == GpuCard.Market.CONSUMER)) {
            findings.warning(
                    Code.CONSUMER_CARD,
                    places.of(place),
                    cards.getFirst().model()
                            + " is a consumer card: a virtual machine can have all of it, and no part of"
                            + " it (neither SR-IOV nor vGPU); a Windows guest needs a driver from 465 on.",
                    "Read NVIDIA's licence of the driver, too: it says where such cards may be used.");
        }
    }

    private void device(PassedDevice device, String path, Map<String, String> given) {
        if (findings.isUnsound(path)) {
            return;
        }
        device.model().ifPresent(model -> model(model, path + ".model"));
        device.kind()
                .filter(kind -> kind.startsWith(GpuCard.VENDOR + ":"))
                .flatMap(kind -> GpuTable.known().withId(kind.split(":")[1]))
                .filter(_ -> device.virtualFunctions().isEmpty())
                .ifPresent(card -> consumer(List.of(card), path + ".kind"));
        device.address().ifPresent(address -> {
            var other = given.putIfAbsent(address.value(), path);
            if (other != null) {
                findings.fault(
                        Code.CARD_TWICE,
                        places.of(path + ".address"),
                        "The device " + address + " is already listed at " + other + ".",
                        "A device is given away once, and its host then has no use of it; remove one of the two.");
            }
        });
    }
}
