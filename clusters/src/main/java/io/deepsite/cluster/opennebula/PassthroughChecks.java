package io.deepsite.cluster.opennebula;

import io.deepsite.cluster.opennebula.OpenNebula.Passthrough;
import io.deepsite.cluster.opennebula.OpenNebula.PciDevice;
import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Devices that an OpenNebula cloud gives to virtual machines, and the templates that ask for them. */
final class PassthroughChecks {
    private final Places places;
    private final Findings findings;
    private final OpenNebula cloud;
    private final String path;

    PassthroughChecks(Places places, Findings findings, OpenNebula cloud, String path) {
        this.places = places;
        this.findings = findings;
        this.cloud = cloud;
        this.path = path;
    }

    void run() {
        var given = new HashMap<String, String>();
        for (int i = 0; i < cloud.passthrough().size(); i++) {
            devices(cloud.passthrough().get(i), path + ".passthrough[" + i + "]", given);
        }
        if (!cloud.version().filtersPerHost() && !findings.isUnsound(path + ".version")) {
            oneFilter();
        }
        cloud.vmTemplates().forEach((name, template) -> {
            for (int i = 0; i < template.pci().size(); i++) {
                device(template.pci().get(i), path + ".vmTemplates." + name + ".pci[" + i + "]");
            }
        });
    }

    private void devices(Passthrough devices, String place, Map<String, String> given) {
        for (int i = 0; i < devices.groups().size(); i++) {
            var group = devices.groups().get(i);
            if (!cloud.hosts().contains(group) && !findings.isUnsound(path + ".hosts")) {
                findings.faultOnce(
                        Code.NOT_A_HOST,
                        places.of(place + ".groups[" + i + "]"),
                        group + " runs no virtual machines of this cloud: its hosts are " + Wording.allOf(cloud.hosts())
                                + ".",
                        Wording.didYouMean(
                                group.value(),
                                cloud.hosts().stream().map(Name::value).toList(),
                                "Add it to hosts, or remove it here."));
            }
        }
        for (int i = 0; i < devices.addresses().size(); i++) {
            address(devices, devices.addresses().get(i), place + ".addresses[" + i + "]", given);
        }
    }

    private void address(Passthrough devices, PciAddress address, String place, Map<String, String> given) {
        if (!address.value().startsWith("0000:")) {
            findings.faultOnce(
                    Code.NOT_WITH_RELEASE,
                    places.of(place),
                    "OpenNebula distinguishes devices by bus, device and function, and knows those of the domain 0000"
                            + " alone.",
                    "Name devices of other domains by vendor and device.");
        }
        for (var group : devices.groups().isEmpty() ? cloud.hosts() : devices.groups()) {
            var other = given.putIfAbsent(group + "/" + address, place);
            if (other != null) {
                findings.faultOnce(
                        Code.CARD_TWICE,
                        places.of(place),
                        "The device " + address + " of " + group + " is given at " + other + " already.",
                        "Remove one of the two.");
            }
        }
    }

    /** One pci.conf reaches all hosts, and its three filters hold together. */
    private void oneFilter() {
        boolean byKind = cloud.passthrough().stream().anyMatch(Passthrough::isByKind);
        for (int i = 0; i < cloud.passthrough().size(); i++) {
            var devices = cloud.passthrough().get(i);
            String place = path + ".passthrough[" + i + "]";
            if (byKind && !devices.addresses().isEmpty() && !devices.isByKind()) {
                findings.faultOnce(
                        Code.NOT_WITH_RELEASE,
                        places.of(place + ".addresses"),
                        "OpenNebula " + cloud.version()
                                + " has one filter for all hosts, and shows only what both of its"
                                + " parts let through: devices chosen by address and others chosen by vendor would hide"
                                + " each other.",
                        "Choose all devices by address, or all by vendor, device and class; from 7.0 on each host has a"
                                + " filter of its own.");
            } else if (!devices.groups().isEmpty()
                    && cloud.hosts().containsAll(devices.groups())
                    && !devices.groups().containsAll(cloud.hosts())) {
                findings.faultOnce(
                        Code.NOT_WITH_RELEASE,
                        places.of(place + ".groups"),
                        "OpenNebula " + cloud.version()
                                + " has one filter for all hosts: what is at the same address, or"
                                + " of the same kind, in the other hosts would be given away, too.",
                        "Remove the key where all hosts may give such devices away; from 7.0 on each host has a filter of"
                                + " its own.");
            }
        }
    }

    private void device(PciDevice asked, String place) {
        if (!findings.isUnsound(path + ".passthrough")
                && cloud.passthrough().stream().noneMatch(devices -> mayBe(devices, asked))) {
            findings.faultOnce(
                    Code.NOT_PASSED,
                    places.of(place),
                    cloud.passthrough().isEmpty()
                            ? "The cloud passes no device, so a machine of this template would wait for ever."
                            : "No entry of passthrough is such a device, so a machine of this template would wait for"
                                    + " ever.",
                    "Add the device under passthrough, or ask for one that is there.");
        }
    }

    /** What is known of the one does not exclude the other. */
    private static boolean mayBe(Passthrough devices, PciDevice asked) {
        if (!devices.addresses().isEmpty()) {
            return asked.shortAddress().isEmpty()
                    || devices.addresses().stream()
                            .anyMatch(address -> address.value()
                                    .endsWith(":" + asked.shortAddress().get()));
        }
        return agree(devices.vendor(), asked.vendor())
                && agree(devices.device(), asked.device())
                && agree(devices.deviceClass(), asked.deviceClass());
    }

    private static boolean agree(Optional<String> one, Optional<String> other) {
        return one.isEmpty() || other.isEmpty() || one.equals(other);
    }
}
