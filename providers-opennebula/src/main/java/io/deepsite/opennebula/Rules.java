package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A security group for each machine group. What comes in: SSH, and the flows that the clusters need; nothing else. What
 * goes out is free. OpenNebula's rules name addresses, not groups: a flow from a group is one rule for each run of
 * addresses of its machines.
 */
final class Rules {
    static final String RULES = "rules";
    private static final String SEPARATOR = "; ";
    private static final String ANYWHERE = "anywhere";

    private Rules() {}

    /**
     * One thing that is let in.
     *
     * @param ports one, or a range with a hyphen; empty for all
     * @param from {@code anywhere}, an address, or the first and the last of a range with a hyphen
     */
    record Rule(String protocol, String ports, String from) {
        /** {@code tcp 6817-6819 from 10.65.0.2-10.65.0.9}. */
        @Override
        public String toString() {
            return protocol + (ports.isEmpty() ? "" : " " + ports) + " from " + from;
        }

        static Rule parse(String text) {
            var words = text.split(" from ", 2);
            var what = words[0].split(" ", 2);
            return new Rule(what[0], what.length > 1 ? what[1] : "", words[1]);
        }

        Map<String, String> template() {
            var values = new TreeMap<String, String>();
            values.put("PROTOCOL", protocol.toUpperCase(Locale.ROOT));
            values.put("RULE_TYPE", "inbound");
            if (!ports.isEmpty()) {
                values.put("RANGE", ports.replace('-', ':'));
            }
            if (!from.equals(ANYWHERE)) {
                var ends = from.split("-", 2);
                var first = IpAddress.parse(ends[0]);
                long size = ends.length == 1 ? 1 : Ipv4.number(IpAddress.parse(ends[1])) - Ipv4.number(first) + 1;
                values.put("IP", first.toString());
                values.put("SIZE", String.valueOf(size));
            }
            return values;
        }

        /** Written by somebody else it may hold what ours never do; then it shows as it stands. */
        static Rule of(Map<String, String> values) {
            var from = values.containsKey("NETWORK_ID") ? "network " + values.get("NETWORK_ID") : ANYWHERE;
            var first = Read.address(values.getOrDefault("IP", "")).filter(Ipv4::is);
            var size = values.getOrDefault("SIZE", "1");
            if (first.isPresent() && size.matches("[0-9]{1,10}")) {
                from = span(Ipv4.number(first.get()), Long.parseLong(size));
            }
            return new Rule(
                    values.getOrDefault("PROTOCOL", "all").toLowerCase(Locale.ROOT),
                    values.getOrDefault("RANGE", "").replace(':', '-'),
                    from);
        }
    }

    private static String span(long first, long size) {
        return Ipv4.address(first) + (size == 1 ? "" : "-" + Ipv4.address(first + size - 1));
    }

    private static String text(Collection<Rule> rules) {
        return rules.stream().map(Rule::toString).collect(Collectors.toCollection(TreeSet::new)).stream()
                .collect(Collectors.joining(SEPARATOR));
    }

    /** What goes out is let out; then what stands in the attribute comes in. */
    static void into(Template template, Resource group) {
        template.vector("RULE", new TreeMap<>(Map.of("PROTOCOL", "ALL", "RULE_TYPE", "outbound")));
        var rules = group.values().getOrDefault(RULES, "");
        if (!rules.isEmpty()) {
            List.of(rules.split(SEPARATOR))
                    .forEach(rule -> template.vector("RULE", Rule.parse(rule).template()));
        }
    }

    static SortedMap<String, String> observed(Snapshot.SecurityGroup group) {
        var rules = group.rules().stream()
                .filter(rule -> rule.getOrDefault("RULE_TYPE", "").equalsIgnoreCase("inbound"))
                .map(Rule::of)
                .toList();
        var seen = new TreeMap<String, String>();
        if (!rules.isEmpty()) {
            seen.put(RULES, text(rules));
        }
        return seen;
    }

    /** @param addresses by machine */
    static List<Resource> resources(
            Site site, Requirements requirements, List<Cidr> sshFrom, Map<String, IpAddress> addresses) {
        var resources = new ArrayList<Resource>();
        for (var group : site.machines().keySet()) {
            var rules = new ArrayList<Rule>();
            var port = String.valueOf(site.ssh().port());
            if (sshFrom.isEmpty()) {
                rules.add(new Rule("tcp", port, ANYWHERE));
            }
            sshFrom.stream()
                    .filter(range -> !range.isIpv6())
                    .forEach(range -> rules.add(new Rule(
                            "tcp",
                            port,
                            range.prefix() == 0
                                    ? ANYWHERE
                                    : span(
                                            Ipv4.number(range.network()),
                                            range.size().longValueExact()))));
            requirements.flows().stream()
                    .filter(flow -> flow.to().equals(group) && site.machines().containsKey(flow.from()))
                    .forEach(flow -> spans(site, flow.from(), addresses)
                            .forEach(from -> rules.add(new Rule(flow.protocol(), flow.port(), from))));
            var id = Kinds.securityGroup(group);
            var attributes = new TreeMap<>(Map.of(RULES, new Attribute(text(rules), Mutability.IN_PLACE)));
            resources.add(new Resource(id, Kinds.name(site.name(), id), attributes, List.of()));
        }
        return resources;
    }

    /** Runs of addresses of a group's machines. */
    private static List<String> spans(Site site, Name group, Map<String, IpAddress> addresses) {
        var numbers = site.machineNames(group).stream()
                .flatMap(machine -> Optional.ofNullable(addresses.get(machine)).stream())
                .map(Ipv4::number)
                .sorted()
                .toList();
        var spans = new ArrayList<String>();
        for (int i = 0; i < numbers.size(); ) {
            int next = i + 1;
            while (next < numbers.size() && numbers.get(next) == numbers.get(next - 1) + 1) {
                next++;
            }
            spans.add(span(numbers.get(i), next - i));
            i = next;
        }
        return spans;
    }
}
