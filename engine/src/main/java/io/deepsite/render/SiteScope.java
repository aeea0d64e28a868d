package io.deepsite.render;

import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.provider.Machine;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machines of a site as templates see them: {@code host} and {@code hosts}. Built once for all contracts of a site.
 */
public final class SiteScope {
    private final Map<String, Map<String, Object>> byName;
    private final List<Map<String, Object>> hosts;

    public SiteScope(Collection<Machine> machines) {
        var map = new LinkedHashMap<String, Map<String, Object>>();
        machines.forEach(machine -> map.put(machine.name(), host(machine)));
        byName = Collections.unmodifiableMap(map);
        hosts = List.copyOf(map.values());
    }

    /** The machine's address, or a placeholder until the machine exists. */
    public static String address(Machine machine) {
        return machine.address().orElseGet(() -> Marker.fact(new Item.Unknown(machine.name(), "address")));
    }

    /** In order of the machines; texts, numbers, booleans, lists and maps of these. */
    public List<Map<String, Object>> hosts() {
        return hosts;
    }

    Map<String, Object> of(String name) {
        var host = byName.get(name);
        if (host == null) {
            throw new IllegalArgumentException("no machine " + name + " in the site");
        }
        return host;
    }

    private static Map<String, Object> host(Machine machine) {
        var host = new LinkedHashMap<String, Object>();
        host.put("name", machine.name());
        host.put("group", machine.group().value());
        host.put("address", address(machine));
        host.put("cpus", machine.cpus());
        host.put("memory_mib", machine.memoryMebibytes());
        host.put("container", machine.container());
        host.put("provider", machine.provider());
        host.put(
                "gpus",
                machine.gpus().stream()
                        .map(gpu -> Map.of(
                                "vendor", gpu.vendor(), "model", gpu.model(), "pci", gpu.pci(), "device", gpu.device()))
                        .toList());
        return Collections.unmodifiableMap(host);
    }
}
