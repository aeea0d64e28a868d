package io.deepsite.openstack;

import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.Cidr;
import io.deepsite.site.Name;
import io.deepsite.site.OpenStackNetwork;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A security group for each machine group. What comes in: SSH, pings from where SSH comes, and the flows that the clusters need; nothing else. What
 * goes out is free, as Neutron has it by itself: machines fetch packages.
 */
final class Rules {
    static final String RULES = "rules";
    private static final String SEPARATOR = "; ";

    private Rules() {}

    /**
     * One thing that is let in.
     *
     * @param family {@code IPv4} or {@code IPv6}
     * @param ports one, or a range with a hyphen; empty for all
     * @param from a range of addresses, or {@code group <name>}
     */
    record Rule(String family, String protocol, String ports, String from) implements Comparable<Rule> {
        static final String GROUP = "group ";

        /** {@code tcp 6817-6819 from group node}; the family stands there only where the rest does not tell it. */
        @Override
        public String toString() {
            return (family.equals("IPv6") && isFromGroup() ? "IPv6 " : "")
                    + (protocol.isEmpty() ? "everything" : protocol)
                    + (ports.isEmpty() ? "" : " " + ports)
                    + " from " + (from.isEmpty() ? "anywhere by " + family : from);
        }

        static Rule parse(String text) {
            boolean ipv6 = text.startsWith("IPv6 ");
            var words = (ipv6 ? text.substring("IPv6 ".length()) : text).split(" from ", 2);
            var what = words[0].split(" ", 2);
            var family = ipv6 || (!words[1].startsWith(GROUP) && words[1].contains(":")) ? "IPv6" : "IPv4";
            return new Rule(family, what[0], what.length > 1 ? what[1] : "", words[1]);
        }

        boolean isFromGroup() {
            return from.startsWith(GROUP);
        }

        @Override
        public int compareTo(Rule other) {
            return toString().compareTo(other.toString());
        }
    }

    static String text(Collection<Rule> rules) {
        return new TreeSet<>(rules).stream().map(Rule::toString).collect(Collectors.joining(SEPARATOR));
    }

    static List<Rule> parse(String text) {
        return text.isEmpty()
                ? List.of()
                : List.of(text.split(SEPARATOR)).stream().map(Rule::parse).toList();
    }

    /**
     * Groups and their rules.
     *
     * @param bastion whose machines pass SSH on to all others
     * @param outside groups that SSH reaches without passing a bastion
     */
    static List<Resource> resources(
            Site site,
            Requirements requirements,
            OpenStackNetwork network,
            Optional<Name> bastion,
            Set<Name> outside,
            boolean ipv6) {
        var resources = new ArrayList<Resource>();
        var groups = new ArrayList<ResourceId>();
        for (var group : site.machines().keySet()) {
            var id = Kinds.securityGroup(group);
            groups.add(id);
            resources.add(new Resource(id, Kinds.name(site.name(), id), new TreeMap<>(), List.of()));
        }
        for (var group : site.machines().keySet()) {
            var rules = new TreeSet<Rule>();
            if (outside.contains(group)) {
                outside(rules, site, network, ipv6);
            }
            bastion.filter(gate ->
                            !gate.equals(group) || site.machineNames(group).size() > 1)
                    .ifPresent(gate ->
                            fromGroup(rules, "tcp", String.valueOf(site.ssh().port()), gate, ipv6));
            requirements.flows().stream()
                    .filter(flow -> flow.to().equals(group) && site.machines().containsKey(flow.from()))
                    .forEach(flow -> fromGroup(rules, flow.protocol(), flow.port(), flow.from(), ipv6));
            if (!rules.isEmpty()) {
                var id = Kinds.securityRules(group);
                var attributes = new TreeMap<String, Attribute>();
                attributes.put(RULES, new Attribute(text(rules), Mutability.IN_PLACE));
                resources.add(new Resource(id, Kinds.name(site.name(), id), attributes, groups));
            }
        }
        return resources;
    }

    private static void outside(Collection<Rule> rules, Site site, OpenStackNetwork network, boolean ipv6) {
        var ranges = new ArrayList<>(network.sshFrom());
        if (ranges.isEmpty()) {
            ranges.add(Cidr.parse("0.0.0.0/0"));
            if (ipv6) {
                ranges.add(Cidr.parse("::/0"));
            }
        }
        var port = String.valueOf(site.ssh().port());
        ranges.forEach(range -> {
            var family = range.isIpv6() ? "IPv6" : "IPv4";
            rules.add(new Rule(family, "tcp", port, range.toString()));
            rules.add(new Rule(family, range.isIpv6() ? "ipv6-icmp" : "icmp", "", range.toString()));
        });
    }

    private static void fromGroup(Collection<Rule> rules, String protocol, String ports, Name from, boolean ipv6) {
        rules.add(new Rule("IPv4", protocol, ports, Rule.GROUP + from));
        if (ipv6) {
            rules.add(new Rule("IPv6", protocol, ports, Rule.GROUP + from));
        }
    }
}
