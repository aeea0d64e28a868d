package io.deepsite.cluster.opennebula;

import io.deepsite.cluster.opennebula.OpenNebula.Passthrough;
import io.deepsite.provider.Machine;
import io.deepsite.site.PciAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The devices that a cloud's hosts report: before 7.0 by one file for all hosts, then by attributes of each. The file's
 * filters are combined by AND, so a filter that is to match everything must say so.
 */
record PciFilter(OpenNebula cloud) {
    private static final String NOTHING = "0:0";
    private static final String EVERYTHING = "*:*";

    /** Patterns of {@code lspci -d} for the file. */
    List<String> kinds() {
        return cloud.version().filtersPerHost() ? List.of(NOTHING) : kinds(cloud.passthrough());
    }

    /** {@code bus:device.function} for the file. */
    List<String> addresses() {
        return cloud.version().filtersPerHost() ? List.of() : addresses(cloud.passthrough());
    }

    /** The file's content in one line, to check whether the hosts have it. */
    String words() {
        return "filter " + String.join(",", kinds()) + " addresses " + String.join(",", addresses());
    }

    /** Attributes of a host; empty if the file covers all. */
    Map<String, Object> attributes(Machine host) {
        var attributes = new LinkedHashMap<String, Object>();
        if (cloud.version().filtersPerHost()) {
            var devices = cloud.passthrough().stream()
                    .filter(entry -> entry.groups().isEmpty() || entry.groups().contains(host.group()))
                    .toList();
            attributes.put("PCI_FILTER", String.join(",", kinds(devices)));
            attributes.put("PCI_SHORT_ADDRESS", String.join(",", addresses(devices)));
        }
        return attributes;
    }

    private static List<String> kinds(List<Passthrough> devices) {
        if (devices.isEmpty()) {
            return List.of(NOTHING);
        }
        return devices.stream().anyMatch(Passthrough::isByKind)
                ? devices.stream()
                        .filter(Passthrough::isByKind)
                        .map(PciFilter::pattern)
                        .distinct()
                        .toList()
                : List.of(EVERYTHING);
    }

    private static List<String> addresses(List<Passthrough> devices) {
        return devices.stream()
                .flatMap(entry -> entry.addresses().stream())
                .map(PciFilter::shortened)
                .distinct()
                .toList();
    }

    private static String pattern(Passthrough devices) {
        return devices.vendor().orElse("*") + ":" + devices.device().orElse("*")
                + devices.deviceClass().map(number -> ":" + number).orElse("");
    }

    /** Without the domain, as lspci prints it on a machine with one domain. */
    static String shortened(PciAddress address) {
        return address.value().substring(address.value().indexOf(':') + 1);
    }
}
