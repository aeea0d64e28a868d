package io.deepsite.cluster.openstack;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The repositories that openstack-ansible builds, by its variables {@code …_git_repo}, and their paths below {@code
 * openstack/}. As in playbooks/defaults/repo_packages/openstack_services.yml of openstack-ansible a38e6d5 (18.1.17).
 * Commits are those that its own files pin.
 */
final class OpenStackRepositories {
    /** Of every cloud. */
    private static final List<String> BASE = List.of(
            "requirements",
            "keystone",
            "glance",
            "nova",
            "nova_powervm",
            "neutron",
            "neutron_dynamic_routing",
            "neutron_fwaas",
            "neutron_lbaas",
            "neutron_vpnaas",
            "dragonflow",
            "networking_bgpvpn",
            "networking_calico",
            "networking_odl",
            "networking_ovn",
            "networking_sfc");

    /** Parts of Horizon whose repository is named differently from their variable. */
    private static final Map<String, String> DASHBOARDS = new TreeMap<>(Map.of(
            "ironic_dashboard", "ironic-ui",
            "magnum_dashboard", "magnum-ui"));

    private static final List<String> HORIZON = List.of(
            "horizon",
            "designate_dashboard",
            "heat_dashboard",
            "neutron_fwaas_dashboard",
            "neutron_lbaas_dashboard",
            "octavia_dashboard",
            "sahara_dashboard",
            "trove_dashboard");

    private OpenStackRepositories() {}

    /** @param services those that were chosen */
    static Map<String, String> of(String release, List<String> services) {
        var repositories = new LinkedHashMap<String, String>();
        BASE.forEach(name -> repositories.put(name, path(name)));
        if (release.equals(OpenStackRelease.STEIN.word())) {
            // The tag 19.1.3 has dropped it.
            repositories.remove("dragonflow");
        }
        for (var service : services) {
            if (service.equals("horizon")) {
                HORIZON.forEach(name -> repositories.put(name, path(name)));
                repositories.putAll(DASHBOARDS);
            } else {
                repositories.put(service, path(service));
            }
        }
        return repositories;
    }

    /**
     * The names of packages that openstack-ansible renames. Its lookup py_pkgs (18.1.20) joins a repository in user_*.yml to its
     * own by the package's name; without it, it builds heat twice, from its first home and from the mirror's master.
     */
    static Map<String, String> packages(List<String> services) {
        return services.contains("heat") ? Map.of("heat_git_package_name", "openstack-heat") : Map.of();
    }

    private static String path(String name) {
        return name.replace('_', '-');
    }
}
