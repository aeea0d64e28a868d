package io.deepsite.cluster.openstack;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.SiteNetwork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Networks of the hosts and containers of an OpenStack cloud, in the words of openstack-ansible. */
public record OpenStackNetworks(
        @Key(
                value =
                        "Address inside management at which services find each other: one that no machine has, which three"
                                + " control machines hand over. That of the control machine by default, where it is one.",
                example = "172.29.236.9",
                impact = ChangeImpact.REPLACE)
        Optional<IpAddress> internalVip,

        @Key(
                value = "Name or address at which users find the services; another one than internalVip.",
                example = "cloud.example.org",
                pattern = "[A-Za-z0-9][A-Za-z0-9.-]*",
                impact = ChangeImpact.REPLACE)
        String externalVip,

        @Key(
                value = "The address behind externalVip, where that is a name and three control machines hand it over.",
                example = "192.0.2.10",
                impact = ChangeImpact.RESTART)
        Optional<IpAddress> externalAddress,

        @Key(
                value = "The network card on which three control machines hand externalVip over to each other; the"
                        + " management bridge by default.",
                example = "bond0",
                pattern = INTERFACE,
                impact = ChangeImpact.RESTART)
        Optional<String> externalInterface,

        @Key(
                value = "Whether the hosts have these bridges already, or deepsite makes them (systemd-networkd).",
                defaultValue = "given",
                choices = {"given", "made"},
                impact = ChangeImpact.REPLACE)
        String bridges,

        @Key(
                value =
                        "Address in management of the first host that has none there; the next ones follow. The eleventh"
                                + " of the range by default.",
                example = "172.29.236.11",
                impact = ChangeImpact.REPLACE)
        Optional<IpAddress> firstHost,

        @Key(value = "Between all hosts and containers.", impact = ChangeImpact.REPLACE)
        Segment management,

        @Key(value = "Carries the networks of projects (VXLAN).", impact = ChangeImpact.REPLACE)
        Segment overlay,

        @Key(
                value = "Between what stores and what uses storage; without it management does that.",
                impact = ChangeImpact.REPLACE)
        Optional<Segment> storage,

        @Key(
                value = "Networks outside that projects may be given, by the name that Neutron has for them.",
                impact = ChangeImpact.REPLACE)
        Map<Name, ProviderNetwork> provider) {
    static final String INTERFACE = "[A-Za-z][A-Za-z0-9._-]{0,14}";

    public OpenStackNetworks {
        provider = Ordered.copy(provider);
    }

    public boolean made() {
        return bridges.equals("made");
    }

    /** What three control machines hand over to each other outside; empty where site.yaml does not say it. */
    public Optional<IpAddress> outside() {
        return externalAddress.or(() -> IpAddress.find(externalVip));
    }

    /** Neither an IPv4 address nor a host name, because it has only digits and dots: 300.1.1.1. */
    boolean isExternalVipNeither() {
        return externalVip.matches("[0-9.]+") && IpAddress.find(externalVip).isEmpty();
    }

    /** Those with a range of addresses, by openstack-ansible's name for the range. */
    public Map<String, Segment> segments() {
        var segments = new LinkedHashMap<String, Segment>();
        segments.put("container", management);
        segments.put("tunnel", overlay);
        storage.ifPresent(segment -> segments.put("storage", segment));
        return segments;
    }

    List<SiteNetwork> described() {
        var all = new ArrayList<SiteNetwork>();
        all.add(management.described("management"));
        all.add(overlay.described("overlay"));
        storage.ifPresent(segment -> all.add(segment.described("storage")));
        provider.forEach((name, network) -> all.add(new SiteNetwork(
                name.value(),
                Optional.empty(),
                network.type() + network.vlans().map(vlans -> " " + vlans).orElse("") + ", bridge "
                        + network.bridge())));
        return all;
    }

    public record Segment(
            @Key(
                    value = "The bridge on the hosts.",
                    example = "br-mgmt",
                    pattern = INTERFACE,
                    impact = ChangeImpact.REPLACE)
            String bridge,

            @Key(value = "Its addresses.", example = "172.29.236.0/22", impact = ChangeImpact.REPLACE)
            Cidr range,

            @Key(
                    value = "Addresses that containers must not get, one or from-to.",
                    example = "[172.29.236.1-172.29.236.50]",
                    pattern = "[0-9.]+(-[0-9.]+)?",
                    impact = ChangeImpact.RESTART)
            List<String> used,

            @Key(
                    value = "The network card that leads out of a bridge that deepsite makes.",
                    name = "interface",
                    example = "eno2",
                    pattern = INTERFACE,
                    impact = ChangeImpact.REPLACE)
            Optional<String> device) {
        public Segment {
            used = List.copyOf(used);
        }

        SiteNetwork described(String name) {
            return new SiteNetwork(name, Optional.of(range), "bridge " + bridge);
        }

        /** First and last address of each entry of {@code used}; the two are the same for a single one. */
        public List<List<String>> usedRanges() {
            var ranges = new ArrayList<List<String>>();
            for (var entry : used) {
                var ends = entry.split("-", 2);
                ranges.add(List.of(ends[0], ends[ends.length - 1]));
            }
            return ranges;
        }
    }

    public record ProviderNetwork(
            @Key(
                    value = "The bridge on the hosts.",
                    defaultValue = "br-vlan",
                    pattern = INTERFACE,
                    impact = ChangeImpact.REPLACE)
            String bridge,

            @Key(
                    value = "One network without tags (flat), or one for each VLAN (vlan).",
                    defaultValue = "flat",
                    choices = {"flat", "vlan"},
                    requires =
                            @OtherKeys(
                                    value = "vlans",
                                    when = "type=vlan",
                                    why = "Projects get the numbered networks of this list.",
                                    fix = "Add \"vlans: 101:200\" with their first and last number."),
                    impact = ChangeImpact.REPLACE)
            String type,

            @Key(
                    value = "The VLANs that projects may have, first:last, several with commas.",
                    example = "101:200,301:400",
                    pattern = "[0-9]{1,4}:[0-9]{1,4}(,[0-9]{1,4}:[0-9]{1,4}){0,99}",
                    impact = ChangeImpact.RESTART)
            Optional<String> vlans,

            @Key(
                    value = "The network card of the hosts that leads there, for a flat network.",
                    name = "interface",
                    example = "eth12",
                    pattern = INTERFACE,
                    impact = ChangeImpact.REPLACE)
            Optional<String> device) {}
}
