package io.deepsite.cluster.openstack;

import io.deepsite.cluster.openstack.OpenStackNetworks.Segment;
import io.deepsite.site.IpAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The bridges that openstack-ansible takes as given on every host, as files of systemd-networkd. */
record HostBridges(OpenStackNetworks networks) {
    private static final String FOLDER = "/etc/systemd/network/60-deepsite-";

    /** Every bridge, each once. */
    List<String> names() {
        var names = new ArrayList<String>();
        networks.segments().values().forEach(segment -> names.add(segment.bridge()));
        networks.provider().values().forEach(provider -> names.add(provider.bridge()));
        return names.stream().distinct().toList();
    }

    /** Text by path, of the host with this address in management; empty where the bridges are given. */
    Map<String, String> files(String address) {
        var files = new LinkedHashMap<String, String>();
        if (!networks.made()) {
            return files;
        }
        networks.segments().values().forEach(segment -> {
            bridge(
                    files,
                    segment.bridge(),
                    "Address=" + alike(segment, address) + "/" + segment.range().prefix() + "\n");
            segment.device().ifPresent(device -> port(files, device, segment.bridge()));
        });
        networks.provider().values().forEach(provider -> {
            bridge(files, provider.bridge(), "");
            if (provider.type().equals("flat")) {
                // Neutron's agent puts a bridge of its own onto this end.
                files.put(
                        FOLDER + card(provider) + ".netdev",
                        device(provider.bridge() + "-veth", "veth") + "\n[Peer]\nName=" + card(provider) + "\n");
                port(files, provider.bridge() + "-veth", provider.bridge());
                files.put(
                        FOLDER + card(provider) + ".network",
                        "[Match]\nName=" + card(provider) + "\n\n[Network]\nLinkLocalAddressing=no\n");
            }
        });
        return files;
    }

    private static void bridge(Map<String, String> files, String name, String more) {
        files.put(FOLDER + name + ".netdev", device(name, "bridge"));
        files.put(
                FOLDER + name + ".network",
                "[Match]\nName=" + name + "\n\n[Network]\n" + more
                        + "LinkLocalAddressing=no\nConfigureWithoutCarrier=yes\n");
    }

    private static void port(Map<String, String> files, String card, String bridge) {
        files.put(
                FOLDER + card + ".network",
                "[Match]\nName=" + card + "\n\n[Network]\nBridge=" + bridge + "\nLinkLocalAddressing=no\n");
    }

    private static String device(String name, String kind) {
        return "[NetDev]\nName=" + name + "\nKind=" + kind + "\n";
    }

    /** The host's card for a flat network; by default a name that openstack-ansible's own hosts have. */
    static String card(OpenStackNetworks.ProviderNetwork provider) {
        return provider.device().orElse("eth12");
    }

    /** What the hosts have in a segment besides management, where deepsite makes the bridges. */
    List<String> addresses(Segment segment, Map<String, String> control, Map<String, String> compute) {
        if (!networks.made()) {
            return List.of();
        }
        var all = new TreeSet<>(control.values());
        all.addAll(compute.values());
        return all.stream().map(address -> alike(segment, address)).toList();
    }

    /** As far behind the beginning of the segment as the host's address is in management. */
    private String alike(Segment segment, String address) {
        return segment.range()
                .at(networks.management().range().position(IpAddress.parse(address)))
                .toString();
    }
}
