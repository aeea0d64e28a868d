package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Cidr;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who may connect to a port, as rules of nftables name them. */
final class Readers {
    private Readers() {}

    /** Machines of groups, and ranges of addresses outside of the site. */
    static List<Map<String, Object>> of(Set<Name> groups, List<Cidr> addresses, List<Machine> machines) {
        var readers = new ArrayList<Map<String, Object>>();
        in(groups, machines)
                .forEach(machine ->
                        readers.add(reader(isIp6(machine.address().orElse("")), SiteStages.address(machine))));
        addresses.forEach(range -> readers.add(reader(isIp6(range.toString()), range.toString())));
        return readers;
    }

    /** An address that is not known yet is none: back-ends give out IPv4. */
    private static boolean isIp6(String address) {
        return address.contains(":");
    }

    private static Map<String, Object> reader(boolean isIp6, String range) {
        return Map.of("family", isIp6 ? "ip6" : "ip", "range", range);
    }
}
