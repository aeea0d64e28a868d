package io.deepsite.cluster.opennebula;

import io.deepsite.cluster.opennebula.OpenNebula.Passthrough;
import io.deepsite.cluster.opennebula.OpenNebula.PciDevice;
import io.deepsite.provider.Machine;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The objects of the cloud itself, in the form that {@code deepsite-opennebula} takes: OpenNebula's own names and
 * attributes.
 */
record OpenNebulaObjects(OpenNebula cloud, PciFilter filter, List<Machine> hosts) {

    /** @param accounts by name */
    Map<String, Object> all(SortedMap<String, String> accounts) {
        var all = new LinkedHashMap<String, Object>();
        all.put(
                "hosts",
                hosts.stream()
                        .map(host -> object(host.name(), filter.attributes(host)))
                        .toList());
        all.put("datastores", objects(cloud.datastores(), OpenNebulaObjects::datastore));
        all.put("networks", objects(cloud.networks(), OpenNebulaObjects::network));
        all.put("images", objects(cloud.images(), OpenNebulaObjects::image));
        all.put(
                "users",
                accounts.keySet().stream().map(name -> object(name, Map.of())).toList());
        all.put("templates", objects(cloud.vmTemplates(), OpenNebulaObjects::template));
        return all;
    }

    private static <T> List<Map<String, Object>> objects(
            Map<Name, T> named, Function<T, Map<String, Object>> attributes) {
        return named.entrySet().stream()
                .map(entry -> object(entry.getKey().value(), attributes.apply(entry.getValue())))
                .toList();
    }

    private static Map<String, Object> object(String name, Map<String, Object> attributes) {
        var object = new LinkedHashMap<String, Object>();
        object.put("name", name);
        object.put("attributes", attributes);
        return object;
    }

    private static Map<String, Object> datastore(OpenNebula.Datastore datastore) {
        var attributes = new LinkedHashMap<String, Object>();
        boolean system = datastore.holds().equals("system");
        attributes.put("TYPE", system ? "SYSTEM_DS" : "IMAGE_DS");
        if (!system) {
            attributes.put("DS_MAD", "fs");
        }
        attributes.put("TM_MAD", datastore.driver());
        return attributes;
    }

    private static Map<String, Object> network(OpenNebula.Network network) {
        var attributes = new LinkedHashMap<String, Object>();
        attributes.put("VN_MAD", network.vlan().isPresent() ? "802.1Q" : "bridge");
        attributes.put("BRIDGE", network.bridge());
        network.device().ifPresent(device -> attributes.put("PHYDEV", device));
        network.vlan().ifPresent(vlan -> attributes.put("VLAN_ID", vlan.toString()));
        attributes.put("NETWORK_ADDRESS", network.range().network().toString());
        attributes.put("NETWORK_MASK", mask(network.range()));
        network.gateway().ifPresent(gateway -> attributes.put("GATEWAY", gateway.toString()));
        if (!network.dns().isEmpty()) {
            attributes.put(
                    "DNS", network.dns().stream().map(IpAddress::toString).collect(Collectors.joining(" ")));
        }
        attributes.put(
                "AR",
                List.of(Map.of(
                        "TYPE", "IP4", "IP", network.first().toString(), "SIZE", String.valueOf(network.count()))));
        return attributes;
    }

    /** Of an IPv4 range. */
    static String mask(Cidr range) {
        long bits = 0xFFFFFFFFL << (32 - range.prefix());
        return "%d.%d.%d.%d".formatted((bits >> 24) & 255, (bits >> 16) & 255, (bits >> 8) & 255, bits & 255);
    }

    private static Map<String, Object> image(OpenNebula.Image image) {
        var attributes = new LinkedHashMap<String, Object>();
        attributes.put("TYPE", "OS");
        attributes.put("PATH", image.source());
        attributes.put("FORMAT", image.format());
        attributes.put("DEV_PREFIX", "vd");
        return attributes;
    }

    private static Map<String, Object> template(OpenNebula.VmTemplate template) {
        var attributes = new LinkedHashMap<String, Object>();
        attributes.put("CPU", String.valueOf(template.cpus()));
        attributes.put("VCPU", String.valueOf(template.cpus()));
        attributes.put("MEMORY", String.valueOf(template.memory().mebibytes()));
        attributes.put("DISK", List.of(Map.of("IMAGE", template.image().value(), "IMAGE_UNAME", "oneadmin")));
        template.network()
                .ifPresent(network -> attributes.put(
                        "NIC", List.of(Map.of("NETWORK", network.value(), "NETWORK_UNAME", "oneadmin"))));
        var os = new LinkedHashMap<String, Object>();
        os.put("ARCH", "x86_64");
        if (!template.machine().equals("pc")) {
            os.put("MACHINE", template.machine());
        }
        template.firmware().ifPresent(firmware -> os.put("FIRMWARE", firmware));
        attributes.put("OS", List.of(os));
        attributes.put("GRAPHICS", List.of(Map.of("TYPE", "VNC", "LISTEN", "127.0.0.1")));
        attributes.put("CONTEXT", List.of(Map.of("NETWORK", "YES", "SSH_PUBLIC_KEY", "$USER[SSH_PUBLIC_KEY]")));
        if (!template.pci().isEmpty()) {
            attributes.put(
                    "PCI", template.pci().stream().map(OpenNebulaObjects::pci).toList());
        }
        return attributes;
    }

    private static Map<String, Object> pci(PciDevice device) {
        var attributes = new LinkedHashMap<String, Object>();
        device.shortAddress().ifPresent(address -> attributes.put("SHORT_ADDRESS", address));
        kind(attributes, device.vendor(), device.device(), device.deviceClass());
        return attributes;
    }

    private static void kind(
            Map<String, Object> attributes,
            Optional<String> vendor,
            Optional<String> device,
            Optional<String> deviceClass) {
        vendor.ifPresent(number -> attributes.put("VENDOR", number));
        device.ifPresent(number -> attributes.put("DEVICE", number));
        deviceClass.ifPresent(number -> attributes.put("CLASS", number));
    }

    /**
     * For acceptance: each host with each device that it passes through, as words; empty texts for unspecified values.
     */
    List<Map<String, String>> passed() {
        var passed = new ArrayList<Map<String, String>>();
        for (var host : hosts) {
            for (var entry : cloud.passthrough()) {
                if (entry.groups().isEmpty() || entry.groups().contains(host.group())) {
                    passed.addAll(ofHost(host, entry));
                }
            }
        }
        return passed;
    }

    private static List<Map<String, String>> ofHost(Machine host, Passthrough entry) {
        if (entry.addresses().isEmpty()) {
            return List.of(Map.of(
                    "host",
                    host.name(),
                    "device",
                    entry.vendor().orElse("*") + ":" + entry.device().orElse("*") + ":"
                            + entry.deviceClass().orElse("*")));
        }
        return entry.addresses().stream()
                .map(address -> Map.of("host", host.name(), "device", PciFilter.shortened(address)))
                .toList();
    }
}
