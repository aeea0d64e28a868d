package io.deepsite.cluster.openstack;

import io.deepsite.contract.Marker;
import io.deepsite.render.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The files in openstack-ansible's folder /etc/openstack_deploy: hosts of each group, networks, and variables of its
 * roles. Pure text; includes no file that openstack-ansible writes itself.
 *
 * @param vip the address at which services reach each other
 * @param control addresses in the management network, by name
 * @param compute the same
 * @param secrets the prefix of the cluster's secret names
 */
record OpenStackAnsibleConfig(
        OpenStackCloud cloud,
        OpenStackNetworks networks,
        String vip,
        Map<String, String> control,
        Map<String, String> compute,
        boolean gpus,
        String secrets) {
    static final String FOLDER = "/etc/openstack_deploy/";
    static final String SSH_KEY = "/root/.ssh/deepsite_openstack_ansible";

    /**
     * openstack-ansible's own (inventory/group_vars/all/all.yml, the same in 17.1.4, 18.1.20 and 19.1.3), which accept any host
     * key whatever ANSIBLE_HOST_KEY_CHECKING says; here ssh checks them.
     */
    private static final String SSH_OPTIONS = "-o StrictHostKeyChecking=yes -o ServerAliveInterval=64"
            + " -o ServerAliveCountMax=1024 -o Compression=no -o TCPKeepAlive=yes -o VerifyHostKeyDNS=no -o ForwardX11=no"
            + " -o ForwardAgent=yes -T";

    private static final String HEAD = "# Written by deepsite: what is changed here is changed back.\n---\n";

    /** Groups of the mandatory services, all on control machines. */
    private static final List<String> BASE = List.of(
            "shared-infra_hosts",
            "repo-infra_hosts",
            "haproxy_hosts",
            "log_hosts",
            "identity_hosts",
            "image_hosts",
            "compute-infra_hosts",
            "network_hosts");

    /** The group of each optional service; conf.d has a file of the same name. */
    private static final Map<String, String> CHOSEN = Map.of(
            "barbican", "key-manager_hosts",
            "designate", "dnsaas_hosts",
            "heat", "orchestration_hosts",
            "horizon", "dashboard_hosts",
            "magnum", "magnum-infra_hosts");

    /** Text by path. */
    Map<String, String> files() {
        var files = new LinkedHashMap<String, String>();
        files.put(FOLDER + "openstack_user_config.yml", text(userConfig()));
        // The last of user_*.yml that openstack-ansible passes to Ansible, so it wins; user_variables.yml belongs to
        // the admin.
        files.put(FOLDER + "user_zz_deepsite.yml", text(variables()));
        files.put(FOLDER + "user_secrets.yml", text(secretValues()));
        for (var service : new TreeSet<>(cloud.services())) {
            var group = CHOSEN.get(service);
            if (group != null) {
                files.put(FOLDER + "conf.d/" + service + ".yml", text(Map.of(group, hosts(control))));
            }
        }
        return files;
    }

    private static String text(Map<String, ?> document) {
        return HEAD + YamlText.documents(List.of(document));
    }

    Map<String, Object> userConfig() {
        var config = new LinkedHashMap<String, Object>();
        var ranges = new LinkedHashMap<String, Object>();
        networks.segments()
                .forEach((name, segment) -> ranges.put(name, segment.range().toString()));
        config.put("cidr_networks", ranges);
        config.put("used_ips", used());
        var overrides = new LinkedHashMap<String, Object>();
        overrides.put("internal_lb_vip_address", vip);
        overrides.put("external_lb_vip_address", networks.externalVip());
        overrides.put("tunnel_bridge", networks.overlay().bridge());
        overrides.put("management_bridge", networks.management().bridge());
        overrides.put("provider_networks", providers());
        config.put("global_overrides", overrides);
        BASE.forEach(group -> config.put(group, hosts(control)));
        // Glance keeps images in a folder of its container (os_glance, glance_default_store: file): on several machines
        // each would have only those that were uploaded to it.
        config.put("image_hosts", hosts(first(control)));
        config.put("compute_hosts", hosts(compute));
        return config;
    }

    private static Map<String, String> first(Map<String, String> addresses) {
        return addresses.entrySet().stream().limit(1).collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Map<String, Object> hosts(Map<String, String> addresses) {
        var hosts = new LinkedHashMap<String, Object>();
        addresses.forEach((name, address) -> hosts.put(name, Map.of("ip", address)));
        return hosts;
    }

    /** openstack-ansible excludes only the hosts' management addresses by itself. */
    private List<String> used() {
        var used = new ArrayList<String>();
        networks.segments().forEach((name, segment) -> {
            used.addAll(usedBy(segment));
            if (!name.equals("container")) {
                used.addAll(new HostBridges(networks).addresses(segment, control, compute));
            }
        });
        used.add(vip);
        return used.stream().distinct().toList();
    }

    /** First and last address of each range, or a single one. */
    static List<String> usedBy(OpenStackNetworks.Segment segment) {
        return segment.usedRanges().stream()
                .map(ends -> String.join(",", new LinkedHashSet<>(ends)))
                .toList();
    }

    private List<Map<String, Object>> providers() {
        var all = new ArrayList<Map<String, Object>>();
        var management = network(networks.management().bridge(), "eth1", "raw", List.of("all_containers", "hosts"));
        management.put("ip_from_q", "container");
        management.put("is_container_address", true);
        management.put("is_ssh_address", true);
        all.add(Map.of("network", management));
        var overlay = network(networks.overlay().bridge(), "eth10", "vxlan", List.of("neutron_linuxbridge_agent"));
        overlay.put("ip_from_q", "tunnel");
        overlay.put("range", "1:1000");
        overlay.put("net_name", "vxlan");
        all.add(Map.of("network", overlay));
        networks.storage().ifPresent(segment -> {
            var storage = network(segment.bridge(), "eth2", "raw", List.of("glance_api", "nova_compute"));
            storage.put("ip_from_q", "storage");
            all.add(Map.of("network", storage));
        });
        int card = 11;
        for (var entry : networks.provider().entrySet()) {
            var provider = entry.getValue();
            var network =
                    network(provider.bridge(), "eth" + card, provider.type(), List.of("neutron_linuxbridge_agent"));
            network.put("net_name", entry.getKey().value());
            provider.vlans().ifPresent(vlans -> network.put("range", vlans));
            if (provider.type().equals("flat")) {
                network.put("host_bind_override", HostBridges.card(provider));
            }
            all.add(Map.of("network", network));
            card++;
        }
        return all;
    }

    private static Map<String, Object> network(String bridge, String card, String type, List<String> binds) {
        var network = new LinkedHashMap<String, Object>();
        network.put("container_bridge", bridge);
        network.put("container_type", "veth");
        network.put("container_interface", card);
        network.put("type", type);
        network.put("group_binds", binds);
        return network;
    }

    Map<String, Object> variables() {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("nova_virt_type", "lxd");
        // This value keeps os_nova from calling `lxd init`, which fails if a pool exists, and to which 18.x would pass
        // the next variable. The pool already exists, whatever its driver.
        variables.put("lxd_storage_backend", "btrfs");
        variables.put("lxd_storage_pool", cloud.lxd().pool());
        var options = new LinkedHashMap<String, Object>();
        if (gpus) {
            options.put("DEFAULT", Map.of("compute_driver", OpenStackKind.DRIVER_WITH_GPUS));
        }
        // False: see the role nova_lxd.
        options.put(
                "lxd",
                ordered(
                        "allow_live_migration",
                        false,
                        "pool",
                        cloud.lxd().pool(),
                        "root_dir",
                        OpenStackKind.rootDir(cloud.lxd())));
        variables.put("nova_nova_conf_overrides", options);
        variables.put("lxc_cache_prep_timeout", 3000);
        variables.put("tempest_install", false);
        variables.put("tempest_run", false);
        variables.put("nova_lxd_git_repo", cloud.sources().novaLxdFrom());
        cloud.sources()
                .novaLxdAt(cloud.release())
                .ifPresent(commit -> variables.put("nova_lxd_git_install_branch", commit));
        cloud.sources().opendev().ifPresent(mirror -> {
            OpenStackRepositories.of(cloud.release(), cloud.services())
                    .forEach((name, path) -> variables.put(name + "_git_repo", mirror + "/openstack/" + path));
            variables.putAll(OpenStackRepositories.packages(cloud.services()));
        });
        variables.put("ansible_ssh_private_key_file", SSH_KEY);
        variables.put("ansible_ssh_extra_args", SSH_OPTIONS);
        if (control.size() > 1) {
            variables.put("haproxy_keepalived_internal_vip_cidr", vip + "/32");
            variables.put(
                    "haproxy_keepalived_internal_interface",
                    networks.management().bridge());
            networks.outside()
                    .ifPresent(address -> variables.put("haproxy_keepalived_external_vip_cidr", address + "/32"));
            variables.put(
                    "haproxy_keepalived_external_interface",
                    networks.externalInterface().orElse(networks.management().bridge()));
        }
        return variables;
    }

    private static Map<String, Object> ordered(Object... pairs) {
        var map = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i].toString(), pairs[i + 1]);
        }
        return map;
    }

    private Map<String, Object> secretValues() {
        var values = new LinkedHashMap<String, Object>();
        var names = new TreeSet<>(knownSecrets());
        names.addAll(cloud.secrets());
        names.forEach(name -> values.put(name, Marker.secret(secrets + secret(name))));
        return values;
    }

    /**
     * The suffix of a secret's name decides its kind; for all others openstack-ansible's own generator takes 24 to 72
     * letters.
     */
    private static String secret(String name) {
        return name.endsWith("_uuid") || name.endsWith("_password") ? name : name + "_password";
    }

    private static List<String> knownSecrets() {
        try (var file = OpenStackAnsibleConfig.class.getResourceAsStream("openstack-ansible-secrets.txt")) {
            if (file == null) {
                throw new IllegalStateException("openstack-ansible-secrets.txt is missing");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
