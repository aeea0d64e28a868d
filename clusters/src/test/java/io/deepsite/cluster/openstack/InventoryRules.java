package io.deepsite.cluster.openstack;

import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Reads a configuration as openstack-ansible's dynamic inventory does (osa_toolkit/generate.py), and reports what that
 * refuses or warns of, and what would fail only in a playbook.
 */
final class InventoryRules {
    private static final Path TABLE = Path.of("src/test/resources/golden/openstack-ansible/groups.yaml");
    private static final Set<String> OTHER_KEYS = Set.of("cidr_networks", "used_ips", "global_overrides");
    /** The longest host name: a container name has at most 52 letters, and this is its longest suffix. */
    private static final int LONGEST = 52 - "_nova_api_os_compute_container".length();

    private final Map<String, List<String>> table;
    private final Map<String, Object> config = new LinkedHashMap<>();
    private final Map<String, Cidr> ranges = new HashMap<>();
    private final Map<String, String> hosts = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();

    private InventoryRules() throws IOException {
        table = yaml(Files.readString(TABLE));
    }

    /** @param texts openstack_user_config.yml and the files of conf.d */
    static List<String> faults(List<String> texts) throws IOException {
        var rules = new InventoryRules();
        for (var text : texts) {
            Map<String, Object> part = yaml(text);
            part.forEach(rules.config::put);
        }
        rules.run();
        return rules.faults;
    }

    static <T> T yaml(String text) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options)).load(text);
    }

    private void run() {
        map(config, "cidr_networks").forEach((name, range) -> ranges.put(name, Cidr.parse(range.toString())));
        expect(ranges.containsKey("container"), "No container CIDR specified in user config");
        config.keySet().stream().filter(key -> !OTHER_KEYS.contains(key)).forEach(this::group);
        map(config, "global_overrides")
                .keySet()
                .forEach(key -> expect(
                        Set.of(
                                        "internal_lb_vip_address",
                                        "external_lb_vip_address",
                                        "tunnel_bridge",
                                        "management_bridge",
                                        "provider_networks")
                                .contains(key),
                        "global_overrides has a key " + key));
        networks();
        var used = used();
        var vip = map(config, "global_overrides").get("internal_lb_vip_address").toString();
        expect(inside("container", vip), "the VIP is outside of container");
        expect(used.contains(vip) || hosts.containsValue(vip), "a container could get the VIP");
    }

    private void group(String group) {
        expect(
                table.get("hosts").contains(group),
                "Group " + group + " was found in configuration but not the environment.");
        map(config, group).forEach((host, value) -> {
            var address = ((Map<?, ?>) value).get("ip").toString();
            expect(hosts.getOrDefault(host, address).equals(address), host + " has two addresses");
            hosts.put(host, address);
            expect(inside("container", address), host + " is outside of container");
            expect(host.length() <= LONGEST, "names of containers of " + host + " are longer than 52 letters");
        });
        expect(new HashSet<>(hosts.values()).size() == hosts.size(), "two hosts have one address");
    }

    private void networks() {
        var overrides = map(config, "global_overrides");
        var cards = new HashSet<String>();
        for (var entry : (List<?>) overrides.get("provider_networks")) {
            Map<String, Object> network = map(entry, "network");
            network.keySet().forEach(key -> expect(table.get("network").contains(key), "a network has a key " + key));
            expect(
                    table.get("types").contains(String.valueOf(network.get("type"))),
                    "a network of type " + network.get("type"));
            expect(cards.add(String.valueOf(network.get("container_interface"))), "two networks on one card");
            var range = network.get("ip_from_q");
            expect(range == null || ranges.containsKey(range.toString()), "can't find " + range + " in cidr_networks");
            for (var bind : (List<?>) network.get("group_binds")) {
                expect(table.get("binds").contains(bind.toString()), "no group " + bind);
            }
            if (overrides.get("management_bridge").equals(network.get("container_bridge"))) {
                expect(
                        Boolean.TRUE.equals(network.get("is_container_address")),
                        "management gives no address to containers");
            }
            if (Set.of("flat", "vlan", "vxlan").contains(network.get("type"))) {
                expect(network.containsKey("net_name"), "a network for Neutron without a name");
            }
            if (Set.of("vlan", "vxlan").contains(network.get("type"))) {
                expect(
                        String.valueOf(network.get("range")).matches("\\d+:\\d+(,\\d+:\\d+)*"),
                        "a network without its numbers");
            }
        }
    }

    /** First and last address of each range, and single addresses. */
    private Set<String> used() {
        var all = new HashSet<String>();
        for (var entry : (List<?>) config.get("used_ips")) {
            var ends = entry.toString().split(",");
            expect(ends.length <= 2, "used_ips: " + entry);
            for (var end : ends) {
                expect(ranges.keySet().stream().anyMatch(name -> inside(name, end)), end + " is in no range");
                all.add(end);
            }
        }
        return all;
    }

    private boolean inside(String name, String address) {
        var range = ranges.get(name);
        return range != null && range.contains(IpAddress.parse(address));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object holder, String key) {
        return (Map<String, Object>) ((Map<String, Object>) holder).getOrDefault(key, Map.of());
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            faults.add(otherwise);
        }
    }
}
