package io.deepsite.cluster.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.OneRole;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer.Rendered;
import io.deepsite.site.Cidr;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The input of openstack-ansible, as golden files, checked by the rules of its own inventory. */
class OpenStackAnsibleFilesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/openstack-ansible");
    private static final String FOLDER = "/etc/openstack_deploy/";

    @Test
    void ofACloudOnOneHost() {
        golden("aio-stein", OpenStackSite.allInOne(), OpenStackSite.one(), "host");
    }

    @Test
    void ofACloudOnSeveralHosts() {
        golden("multinode-rocky", OpenStackSite.several(""), OpenStackSite.five(), "control-1", "compute-2");
    }

    @Test
    void ofDevStack() {
        var site = OpenStackSite.devStack();

        texts(OneRole.of(site, OpenStackSite.one(), "devstack", "host"))
                .forEach((path, text) -> Golden.assertSame(
                        GOLDEN.resolve("devstack-rocky").resolve(path.substring(1)), Marker.masked(text)));
        assertThat(TestSites.stages(site, OpenStackSite.one()))
                .extracting(Stage::name)
                .containsSubsequence("cloud.lxd_storage_pool", "cloud.devstack", "cloud.nova_lxd");
        assertThat(OneRole.of(site, OpenStackSite.one(), "nova_lxd", "host")
                        .contract()
                        .items())
                .extracting(Item::id)
                .contains("ini:/etc/nova/nova-cpu.conf:lxd:pool");
    }

    @Test
    void onceAComputeHostHasCardsNovaIsGivenTheDriverThatGivesThemToInstances() {
        var machines = LxdHostSite.machinesWithCards().subList(0, 1);

        assertThat(text(files(OpenStackSite.allInOne(), machines), "user_zz_deepsite.yml"))
                .contains("  DEFAULT:\n    compute_driver: deepsite_nova_lxd.LXDDriver\n");
        assertThat(texts(OneRole.of(OpenStackSite.allInOne(), machines, "lxd_gpus", "metal")))
                .containsKey("/etc/systemd/system/nova-compute.service.d/deepsite-gpus.conf");
    }

    /** By number, not by letter: openstack-ansible refuses a range whose last address is before its first. */
    @Test
    void aRangeOfUsedAddressesKeepsItsOrder() {
        var segment = new OpenStackNetworks.Segment(
                "br-mgmt",
                Cidr.parse("172.29.236.0/22"),
                List.of("172.29.236.9-172.29.236.50", "172.29.236.60"),
                Optional.empty());

        assertThat(OpenStackAnsibleConfig.usedBy(segment))
                .containsExactly("172.29.236.9,172.29.236.50", "172.29.236.60");
    }

    @Test
    void theInventoryTakesThem() throws IOException {
        assertThat(InventoryRules.faults(inventory(files(OpenStackSite.allInOne(), OpenStackSite.one()))))
                .isEmpty();
        assertThat(InventoryRules.faults(inventory(files(OpenStackSite.several(""), OpenStackSite.five()))))
                .isEmpty();
    }

    /** Shows that the rules detect faults. */
    @Test
    void theInventoryRefusesWhatIsWrong() throws IOException {
        var right = inventory(files(OpenStackSite.several(""), OpenStackSite.five()));

        assertThat(InventoryRules.faults(with(right, "compute_hosts", "computers_hosts")))
                .containsExactly("Group computers_hosts was found in configuration but not the environment.");
        assertThat(InventoryRules.faults(with(right, "ip_from_q: tunnel", "ip_from_q: overlay")))
                .containsExactly("can't find overlay in cidr_networks");
        assertThat(InventoryRules.faults(with(right, "- \"172.29.236.9\"", "- \"172.29.236.8\"")))
                .containsExactly("a container could get the VIP");
        assertThat(InventoryRules.faults(with(right, "is_container_address: true", "is_container_address: false")))
                .containsExactly("management gives no address to containers");
        assertThat(InventoryRules.faults(with(right, "ip: \"172.29.236.16\"", "ip: \"172.29.236.11\"")))
                .contains("two hosts have one address");
    }

    @Test
    void aHostThatIsReachedInManagementKeepsItsAddressThere() {
        var texts = files(OpenStackSite.several(""), OpenStackSite.five());

        Map<String, Map<String, Map<String, String>>> config =
                InventoryRules.yaml(text(texts, "openstack_user_config.yml"));
        assertThat(config.get("compute_hosts"))
                .isEqualTo(
                        Map.of("compute-1", Map.of("ip", "172.29.236.16"), "compute-2", Map.of("ip", "172.29.236.14")));
    }

    @Test
    void everySecretComesFromTheVaultAndIsInOneFileOnly() {
        var rendered = OneRole.of(
                OpenStackSite.several("secrets: [zun_service_password]"),
                OpenStackSite.five(),
                "openstack_ansible",
                "control-1");

        assertThat(rendered.contract().items())
                .filteredOn(item -> item instanceof Item.File file && file.secret())
                .extracting(Item::id)
                .containsExactlyInAnyOrder(
                        "file:/root/.ssh/deepsite_openstack_ansible", "file:/etc/openstack_deploy/user_secrets.yml");
        var text = text(texts(rendered), "user_secrets.yml");
        Map<String, String> secrets = InventoryRules.yaml(Marker.close(text, name -> "of " + name, _ -> ""));
        assertThat(secrets)
                .containsEntry("zun_service_password", "of openstack_cloud_zun_service_password")
                .containsEntry("lxd_trust_password", "of openstack_cloud_lxd_trust_password")
                .containsEntry("heat_auth_encryption_key", "of openstack_cloud_heat_auth_encryption_key_password")
                .containsEntry("cinder_ceph_client_uuid", "of openstack_cloud_cinder_ceph_client_uuid")
                .hasSizeGreaterThan(100);
        assertThat(secrets.values()).doesNotHaveDuplicates().allMatch(value -> value.startsWith("of openstack_cloud_"));
    }

    /**
     * The names that user_secrets.yml of the tags 17.1.4, 18.1.20 and 19.1.3 has and others do not; their playbooks end where one
     * is missing.
     */
    @Test
    void noSecretOfAnOfferedTagIsMissing() {
        Map<String, String> secrets = InventoryRules.yaml(
                Marker.masked(text(files(OpenStackSite.allInOne(), OpenStackSite.one()), "user_secrets.yml")));

        assertThat(secrets)
                .containsKeys(
                        "congress_container_mysql_password",
                        "congress_oslomsg_rpc_password",
                        "congress_service_password",
                        "panko_container_db_password",
                        "panko_service_password");
    }

    /**
     * inventory/group_vars/all/all.yml of all three tags passes ssh options that accept any host key; only a variable of
     * user_*.yml replaces them.
     */
    @Test
    void hostKeysAreChecked() {
        Map<String, Object> variables =
                InventoryRules.yaml(text(files(OpenStackSite.allInOne(), OpenStackSite.one()), "user_zz_deepsite.yml"));

        assertThat(String.valueOf(variables.get("ansible_ssh_extra_args")))
                .contains("-o StrictHostKeyChecking=yes ")
                .doesNotContain("UserKnownHostsFile");
    }

    /** Glance stores images in a folder of its container, which others do not see. */
    @Test
    void imagesAreOnOneMachine() {
        Map<String, Map<String, Object>> config = InventoryRules.yaml(
                text(files(OpenStackSite.several(""), OpenStackSite.five()), "openstack_user_config.yml"));

        assertThat(config.get("image_hosts")).containsOnlyKeys("control-1");
        assertThat(config.get("identity_hosts")).hasSize(3);
    }

    /** openstack-ansible names heat's package otherwise, and would build it from both homes. */
    @Test
    void aMirroredRepositoryReplacesThatOfTheTag() {
        Map<String, Object> variables = InventoryRules.yaml(
                text(files(OpenStackSite.several(""), OpenStackSite.five()), "user_zz_deepsite.yml"));

        assertThat(variables)
                .containsEntry("heat_git_repo", "https://git.example.org/opendev/openstack/heat")
                .containsEntry("heat_git_package_name", "openstack-heat");
    }

    /** Found by the lane openstack-ansible-real: 19.1.3 has no such repository. */
    @Test
    void steinHasNoDragonflow() {
        assertThat(OpenStackRepositories.of("rocky", List.of())).containsKey("dragonflow");
        assertThat(OpenStackRepositories.of("stein", List.of())).doesNotContainKey("dragonflow");
    }

    /** With any other value os_nova would call lxd init on a host whose LXD already has its pool. */
    @Test
    void noReleaseInitialisesLxdAgain() {
        for (var site : List.of(OpenStackSite.allInOne(), OpenStackSite.several("lxd: {driver: zfs, pool: tank}"))) {
            var machines = site.machines().size() == 1 ? OpenStackSite.one() : OpenStackSite.five();
            Map<String, Object> variables = InventoryRules.yaml(text(files(site, machines), "user_zz_deepsite.yml"));

            assertThat(variables)
                    .containsEntry("lxd_storage_backend", "btrfs")
                    .doesNotContainKeys("lxd_init_storage_pool", "lxd_storage_create_device");
        }
    }

    @Test
    void aChangedVariableRerunsThePlaybooksButNotTheBootstrap() {
        var one = variables(OpenStackSite.several(""));
        var other = variables(OpenStackSite.several("lxd: {pool: other}"));
        var mirrored = variables(OpenStackSite.several("smallHosts: true"));

        assertThat(other.get("openstack_ansible_digest")).isNotEqualTo(one.get("openstack_ansible_digest"));
        assertThat(other.get("openstack_ansible_sources")).isEqualTo(one.get("openstack_ansible_sources"));
        assertThat(mirrored.get("openstack_ansible_digest")).isEqualTo(one.get("openstack_ansible_digest"));
    }

    @Test
    void openStackAnsibleComesAfterEveryHostAndItsPool() {
        var stages = TestSites.stages(OpenStackSite.several(""), OpenStackSite.five());

        var last = stages.getLast();
        assertThat(last.name()).isEqualTo("cloud.openstack_ansible");
        assertThat(last.hosts()).containsExactly("control-1");
        assertThat(last.everyHost()).isTrue();
        assertThat(last.needs()).contains("cloud.openstack_target", "cloud.lxd_storage_pool");
        assertThat(stages)
                .filteredOn(stage -> stage.role().equals("lxd_storage_pool"))
                .first()
                .satisfies(stage -> assertThat(stage.hosts()).containsExactly("compute-1", "compute-2"));
    }

    private static Map<String, Object> variables(Site site) {
        return Objects.requireNonNull(TestSites.stages(site, OpenStackSite.five())
                .getLast()
                .variables()
                .get("control-1"));
    }

    private static void golden(String name, Site site, List<Machine> machines, String... hosts) {
        for (var host : hosts) {
            for (var role : List.of("openstack_target", "openstack_ansible")) {
                if (host.startsWith("compute") && role.equals("openstack_ansible")) {
                    continue;
                }
                texts(OneRole.of(site, machines, role, host)).forEach((path, text) -> {
                    if (!path.startsWith("/usr/local/")) {
                        Golden.assertSame(
                                GOLDEN.resolve(name).resolve(host).resolve(path.substring(1)), Marker.masked(text));
                    }
                });
            }
        }
    }

    private static List<String> inventory(Map<String, String> files) {
        var texts = new ArrayList<>(List.of(text(files, "openstack_user_config.yml")));
        files.forEach((path, text) -> {
            if (path.startsWith(FOLDER + "conf.d/")) {
                texts.add(text);
            }
        });
        return texts;
    }

    private static List<String> with(List<String> texts, String was, String is) {
        assertThat(texts).anyMatch(text -> text.contains(was));
        return texts.stream().map(text -> text.replace(was, is)).toList();
    }

    private static String text(Map<String, String> files, String name) {
        return Objects.requireNonNull(files.get(FOLDER + name), name);
    }

    private static Map<String, String> files(Site site, List<Machine> machines) {
        return texts(OneRole.of(
                site, machines, "openstack_ansible", machines.getFirst().name()));
    }

    private static Map<String, String> texts(Rendered rendered) {
        var texts = new TreeMap<String, String>();
        Contract contract = rendered.contract();
        for (var item : contract.items()) {
            if (item instanceof Item.File file) {
                texts.put(file.path(), Objects.requireNonNull(rendered.texts().get(file.body())));
            }
        }
        return texts;
    }
}
