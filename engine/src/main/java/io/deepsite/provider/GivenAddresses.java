package io.deepsite.provider;

import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The addresses that site.yaml gives to machines, group by group in the order of their names. */
public final class GivenAddresses {
    private GivenAddresses() {}

    /**
     * @param groups the provider's settings of machine groups
     * @return by machine; groups that the site does not have are left out
     */
    public static <G> Map<String, IpAddress> of(
            Site site, Map<Name, G> groups, Function<G, List<IpAddress>> addresses) {
        var named = new HashMap<String, IpAddress>();
        groups.forEach((group, more) -> {
            if (site.machines().containsKey(group)) {
                var machines = site.machineNames(group);
                var given = addresses.apply(more);
                for (int i = 0; i < Math.min(machines.size(), given.size()); i++) {
                    named.put(machines.get(i), given.get(i));
                }
            }
        });
        return named;
    }
}
