package io.deepsite.cluster.opennebula;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.secrets;

import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.KnownHostsEntry;
import io.deepsite.cluster.LocalFile;
import io.deepsite.cluster.SiteStages;
import io.deepsite.contract.Digests;
import io.deepsite.provider.Machine;
import io.deepsite.render.JsonText;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Release;
import io.deepsite.site.Site;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Assigns the roles of one cloud to machines, with their variables. */
final class OpenNebulaLayout {
    private static final String PUBLIC = "https://downloads.opennebula.io/repo/";
    private static final String PUBLIC_KEY = PUBLIC + "repo2.key";

    private final Site site;
    private final OpenNebula cloud;
    private final Machine frontend;
    private final List<Machine> hosts;
    private final OpenNebulaObjects objects;
    private final PciFilter filter;
    private final String secrets;

    OpenNebulaLayout(Site site, Name name, OpenNebula cloud, List<Machine> machines) {
        this.site = site;
        this.cloud = cloud;
        frontend = in(cloud.frontend(), machines).getFirst();
        hosts = in(cloud.hosts(), machines);
        filter = new PciFilter(cloud);
        objects = new OpenNebulaObjects(cloud, filter, hosts);
        secrets = secrets(cloud, name);
    }

    Machine frontend() {
        return frontend;
    }

    List<Machine> hosts() {
        return hosts;
    }

    List<Machine> all() {
        return Stream.concat(Stream.of(frontend), hosts.stream()).toList();
    }

    Map<String, Object> repository(Machine machine) {
        var install = cloud.install();
        var key = install.key().orElse(PUBLIC_KEY);
        boolean local = key.startsWith("/");
        return Map.of(
                "opennebula_repository_uri",
                install.packages().orElseGet(() -> folder(machine)),
                "opennebula_repository_release",
                cloud.version().toString(),
                "opennebula_repository_key",
                local ? LocalFile.read(key) : "",
                "opennebula_repository_key_from",
                local ? "" : key);
    }

    /** The checks of site.yaml ensure that the image determines the distribution. */
    private String folder(Machine machine) {
        var image = Optional.ofNullable(site.machines().get(machine.group()))
                .flatMap(MachineGroup::image)
                .orElseThrow();
        var release = Release.of(image).orElseThrow();
        return PUBLIC
                + cloud.version()
                + (release.distribution().equals("debian") ? "/Debian/" : "/Ubuntu/")
                + image.value().replaceFirst(".*/", "");
    }

    Map<String, Object> frontendVariables() {
        return Map.of(
                "opennebula_frontend_packages",
                cloud.install().given() ? List.of() : List.of("opennebula", "opennebula-tools"),
                "opennebula_frontend_ssh_key",
                secrets + "ssh_key",
                "opennebula_frontend_password",
                secrets + "oneadmin_password",
                "opennebula_frontend_known_hosts",
                known(),
                "opennebula_frontend_pci_filter",
                filter.kinds(),
                "opennebula_frontend_pci_addresses",
                filter.addresses());
    }

    Map<String, Object> host(Machine machine) {
        var variables = new LinkedHashMap<String, Object>();
        variables.put(
                "opennebula_kvm_host_packages", cloud.install().given() ? List.of() : List.of("opennebula-node-kvm"));
        variables.put("opennebula_kvm_host_ssh_key", secrets + "ssh_key");
        variables.put("opennebula_kvm_host_known_hosts", known());
        variables.put(
                "opennebula_kvm_host_machines",
                all().stream()
                        .filter(other -> !other.equals(machine))
                        .map(other -> Map.of("name", other.name(), "address", SiteStages.address(other)))
                        .toList());
        variables.put("opennebula_kvm_host_frontend", frontend.name());
        variables.put(
                "opennebula_kvm_host_firmware",
                cloud.vmTemplates().values().stream()
                        .anyMatch(template -> template.firmware().isPresent()));
        return variables;
    }

    /** See {@link ClusterKinds#MADE_WITH}. */
    static SortedMap<String, String> madeWith(OpenNebula cloud) {
        return new TreeMap<>(Map.of("version", cloud.version().toString()));
    }

    private List<Map<String, Object>> known() {
        return all().stream()
                .map(machine -> KnownHostsEntry.of(machine, machine.name(), SiteStages.address(machine)))
                .toList();
    }

    Map<String, Object> cloud() {
        var wanted = JsonText.of(objects.all(accounts()));
        return Map.of(
                "opennebula_cloud_made_with",
                madeWith(cloud),
                "opennebula_cloud_objects",
                wanted,
                "opennebula_cloud_digest",
                Digests.sha256(wanted),
                "opennebula_cloud_accounts",
                accounts().entrySet().stream()
                        .map(account -> Map.of("name", account.getKey(), "password", account.getValue()))
                        .toList(),
                "opennebula_cloud_synced",
                filter.words());
    }

    /** The site's users and the user who tests refusals, each with the secret of the password. */
    private SortedMap<String, String> accounts() {
        var accounts = new TreeMap<String, String>();
        site.users().keySet().forEach(user -> accounts.put(user.value(), password(user.value())));
        accounts.put(SiteStages.VERIFY_USER, password(SiteStages.VERIFY_USER));
        return accounts;
    }

    private String password(String account) {
        return secrets + "user_" + account.replace('-', '_') + "_password";
    }

    SortedMap<String, Object> proof() {
        var variables = new TreeMap<String, Object>();
        variables.put(
                "opennebula_verify_hosts", hosts.stream().map(Machine::name).toList());
        variables.put("opennebula_verify_image", cloud.acceptanceImage().value());
        variables.put("opennebula_verify_network", cloud.acceptanceNetwork().value());
        variables.put("opennebula_verify_user", SiteStages.VERIFY_USER);
        variables.put("opennebula_verify_passthrough", objects.passed());
        return variables;
    }
}
