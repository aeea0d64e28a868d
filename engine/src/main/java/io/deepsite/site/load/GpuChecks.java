package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings.CardAddresses;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.Map;

/** What {@code gpus:} may ask. Only the provider knows whether there are such cards. */
final class GpuChecks {
    private final Site site;
    private final Places places;
    private final Findings findings;

    GpuChecks(Site site, Places places, Findings findings) {
        this.site = site;
        this.places = places;
        this.findings = findings;
    }

    void run() {
        var ofSite = new HashMap<String, String>();
        boolean oneHost = site.provider().cardAddresses() == CardAddresses.OF_ONE_HOST;
        site.machines().forEach((name, group) -> group(name, group, oneHost ? ofSite : new HashMap<String, String>()));
    }

    private void group(Name name, MachineGroup group, Map<String, String> given) {
        String path = "machines." + name + ".gpus";
        for (int i = 0; i < group.gpus().size(); i++) {
            String request = path + "[" + i + "]";
            if (!findings.isUnsound(path)) {
                request(name, group, group.gpus().get(i), request, given);
            }
        }
    }

    private void request(Name name, MachineGroup group, GpuRequest gpu, String path, Map<String, String> given) {
        if (gpu.pci().isEmpty()) {
            return;
        }
        if (site.provider().cardAddresses() == CardAddresses.REFUSED) {
            findings.fault(
                    Code.NOT_WITH_PROVIDER,
                    places.ofKey(path + ".pci"),
                    "The provider " + site.provider().provider()
                            + " chooses the cards itself, from those that are free.",
                    "Ask by vendor and model.");
            return;
        }
        int machines = group.count().orElse(1);
        if (machines > 1 && site.provider().cardAddresses() != CardAddresses.OF_EACH_MACHINE) {
            findings.fault(
                    Code.PCI_OF_MANY,
                    places.ofKey(path + ".pci"),
                    name + " has " + machines + " machines, and one card cannot be in each of them.",
                    "Ask by vendor and model, or make a group for each machine.");
        }
        for (int i = 0; i < gpu.pci().size(); i++) {
            String place = path + ".pci[" + i + "]";
            var other = given.putIfAbsent(gpu.pci().get(i).value(), place);
            if (other != null) {
                findings.fault(
                        Code.CARD_TWICE,
                        places.of(place),
                        "The card " + gpu.pci().get(i) + " is given at " + other + " already.",
                        "Each card belongs to one machine; remove one of the two.");
            }
        }
    }
}
