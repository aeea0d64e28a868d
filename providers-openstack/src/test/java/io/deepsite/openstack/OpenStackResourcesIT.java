package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.ResourceId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openstack4j.api.Builders;
import tools.jackson.databind.JsonNode;

/** Every sort of resource that a site may ask for, created on a real OpenStack and read through its own APIs. */
final class OpenStackResourcesIT {
    private static final String NAME = "it-res";
    private static final String NETWORK = "network: {cidr: 10.67.0.0/24}";
    private static final String WITH_ROUTER = "network: {cidr: 10.67.0.0/24, external: public}";
    private static final String ONE = "machines: {node: {image: debian-12, cpus: 1, memory: 512MiB}}";
    private static final String THREE = "machines: {node: {image: debian-12, count: 3, cpus: 1, memory: 512MiB}}";

    private static final ResourceId VOLUME = new ResourceId(Kinds.VOLUME, "node-data");

    @TempDir
    private Path folder;

    @AfterEach
    void cleanUp() {
        tenant("{" + NETWORK + "}", ONE).deleteAll();
    }

    @Test
    void filesOfTheSiteBecomeImagesWithTheirProperties() throws IOException {
        Files.write(folder.resolve("disk.raw"), new byte[1 << 20]);
        Files.write(folder.resolve("disk.qcow2"), qcow2());
        var images =
                "images: {mine: {file: disk.raw, format: raw, properties: {hypervisor_type: fake, os_distro: debian}},"
                        + " other: {file: disk.qcow2, properties: {hypervisor_type: lxd}}}";
        var machines = "machines: {node: {image: mine, memory: 512MiB}, else: {image: other, memory: 512MiB}}";
        var site = tenant("{" + NETWORK + ", " + images + "}", machines);
        var design = site.compile();
        site.createAllButMachines(design, site.tags());

        var raw = image(site, "mine");
        assertThat(Nodes.text(raw, "disk_format")).isEqualTo("raw");
        assertThat(Nodes.text(raw, "status")).isEqualTo("active");
        assertThat(Nodes.text(raw, "hypervisor_type")).isEqualTo("fake");
        assertThat(raw.path("size").asLong()).isEqualTo(1 << 20);
        assertThat(Nodes.text(raw, "os_hash_value"))
                .as("what Glance has is what the plan said")
                .isEqualTo(Nodes.text(raw, "deepsite-sha512"));
        assertThat(Nodes.text(image(site, "other"), "disk_format")).isEqualTo("qcow2");
        site.assertUnchanged(Kinds.IMAGE);
        site.provider()
                .create(site.desired(new ResourceId(Kinds.SERVER, "node")), site.tags(), RealSite.LOGIN, Call.QUIET);
        assertThat(Nodes.text(site.server("node").path("image"), "id")).isEqualTo(Nodes.text(raw, "id"));
        assertThatThrownBy(() -> site.provider()
                        .create(
                                site.desired(new ResourceId(Kinds.SERVER, "else")),
                                site.tags(),
                                RealSite.LOGIN,
                                Call.QUIET))
                .as("the scheduler goes by the properties: no host here is one of LXD")
                .hasMessageContaining("No valid host was found");
    }

    @Test
    void propertiesOfAnImageChangeInPlace() throws IOException {
        Files.write(folder.resolve("disk.raw"), new byte[1 << 16]);
        var before =
                "images: {mine: {file: disk.raw, format: raw, properties: {hypervisor_type: fake, os_distro: debian}}}";
        var after =
                "images: {mine: {file: disk.raw, format: raw, properties: {hypervisor_type: lxd, hw_disk_bus: scsi}}}";
        var machines = "machines: {node: {image: mine, memory: 512MiB}}";
        var site = tenant("{" + NETWORK + ", " + before + "}", machines);
        site.make(Kinds.IMAGE);
        var changed = tenant("{" + NETWORK + ", " + after + "}", machines);

        changed.provider()
                .update(site.owned(new ResourceId(Kinds.IMAGE, "mine")), changed.desired(Kinds.IMAGE), Call.QUIET);

        changed.assertUnchanged(Kinds.IMAGE);
        var image = image(changed, "mine");
        assertThat(Nodes.text(image, "hypervisor_type")).isEqualTo("lxd");
        assertThat(image.has("os_distro")).isFalse();
    }

    @Test
    void aMachineStartsFromAVolumeAndHasAnotherThatGrows() {
        var machines = "machines: {node: {image: debian-12, cpus: 1, memory: 512MiB, disk: 2GiB}}";
        var wanted = "{" + NETWORK
                + ", groups: {node: {bootVolume: {type: ssd}, volumes: {data: {size: %dGiB, type: ssd}}}}}";
        var site = tenant(wanted.formatted(1), machines);
        site.make();

        site.assertUnchanged();
        assertThat(site.server("node").path("os-extended-volumes:volumes_attached"))
                .hasSize(2);
        var larger = tenant(wanted.formatted(3), machines);
        larger.provider().update(larger.owned(VOLUME), larger.desired(VOLUME), Call.QUIET);
        larger.assertUnchanged();
        assertThat(Family.VOLUMES.named(site.cloud(), "ds-it-res-node-data"))
                .singleElement()
                .satisfies(volume -> {
                    assertThat(volume.gibibytes()).isEqualTo(3);
                    assertThat(volume.type()).isEqualTo("ssd");
                    assertThat(volume.status()).isEqualTo("in-use");
                });
    }

    @Test
    void anAdministratorMakesTheFlavorsThatTheCloudLacks() {
        var machines = "machines: {node: {image: debian-12, cpus: 6, memory: 9GiB, disk: 30GiB,"
                + " gpus: [{vendor: nvidia, count: 2}]}}";
        var wanted = "{" + NETWORK + ", createFlavors: true, groups: {node: {extraSpecs: {'lxd:gpus': '2'}}}}";
        assertThatThrownBy(() -> tenant(wanted, machines).compile())
                .satisfies(fault -> assertThat(codes(fault)).contains(Code.OPENSTACK_NOT_ADMIN));
        var site = RealSite.of(NAME, "admin", folder, wanted, machines);
        try {
            site.make();

            var flavor = Family.FLAVORS.all(site.cloud()).stream()
                    .filter(one -> one.name().startsWith("ds-it-res-node-6c-9216m-30g-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(List.of(flavor.cpus(), flavor.memoryMebibytes(), flavor.diskGibibytes()))
                    .containsExactly(6, 9216, 30);
            assertThat(flavor.extraSpecs()).isEqualTo(Map.of("lxd:gpus", "2"));
            assertThat(Nodes.text(site.server("node").path("flavor"), "original_name"))
                    .isEqualTo(flavor.name());
            site.assertUnchanged();
        } finally {
            site.deleteAll();
        }
    }

    @Test
    void anAdministratorMakesTheNetworkOutsideToo() {
        var openstack = "{network: {cidr: 10.67.0.0/24, externalNetwork: {physical: elsewhere, cidr: 198.18.204.0/24,"
                + " gateway: 198.18.204.1, first: 198.18.204.100, last: 198.18.204.199}}, bastion: node}";
        var machines = "machines: {node: {image: debian-12, memory: 512MiB}}";
        assertThatThrownBy(() -> tenant(openstack, machines).compile())
                .satisfies(fault -> assertThat(codes(fault)).contains(Code.OPENSTACK_NOT_ADMIN));
        var site = RealSite.of(NAME, "admin", folder, openstack, machines);
        try {
            site.make();

            assertThat(site.provider().outside("node", site.tags().site()))
                    .hasValueSatisfying(address -> assertThat(address).matches("198\\.18\\.204\\.1[0-9][0-9]"));
            site.assertUnchanged();
        } finally {
            site.deleteAll();
        }
        assertThat(list(site, "/networks?name=ds-it-res-external", "networks")).isEmpty();
    }

    @Test
    void machinesHaveAddressesOfBothFamilies() {
        var site = tenant(
                "{network: {cidr: 10.67.0.0/24, ipv6: \"fd00:67::/64\", dns: [10.0.0.2, \"fd00::53\"], external: public},"
                        + " bastion: node}",
                THREE);

        site.make();

        var subnet = list(site, "/subnets?name=ds-it-res-ipv6", "subnets").getFirst();
        assertThat(Nodes.text(subnet, "ipv6_address_mode")).isEqualTo("dhcpv6-stateful");
        assertThat(Nodes.texts(subnet, "dns_nameservers")).containsExactly("fd00::53");
        assertThat(RealSite.addresses(site.server("node-1")))
                .filteredOn(address -> address.startsWith("fd00:67:"))
                .hasSize(1);
        var router = list(site, "/routers?name=ds-it-res-router", "routers").getFirst();
        assertThat(list(
                        site,
                        "/ports?device_owner=network:router_interface&device_id=" + Nodes.text(router, "id"),
                        "ports"))
                .as("the router is built on both")
                .hasSize(2);
        assertThat(list(
                        site,
                        "/security-group-rules?direction=ingress&ethertype=IPv6&protocol=tcp",
                        "security_group_rules"))
                .as("SSH from outside, and from the bastion to the others")
                .hasSize(2);
        site.assertUnchanged();
    }

    @Test
    void floatingAddressesAreGivenOnlyWhereAsked() {
        var none = tenant("{" + WITH_ROUTER + "}", THREE);
        none.make();
        assertThat(list(none, "/floatingips", "floatingips")).isEmpty();
        none.deleteAll();
        var site = tenant(
                "{" + WITH_ROUTER + ", groups: {node: {floatingIps: true, addresses: [10.67.0.77, 10.67.0.78]}}}",
                "machines: {node: {image: debian-12, count: 2, memory: 512MiB}, inner: {image: debian-12, memory: 512MiB}}");

        var design = site.make();

        assertThat(list(site, "/floatingips", "floatingips"))
                .extracting(node -> Nodes.text(node, "fixed_ip_address"))
                .hasSize(2)
                .containsExactlyInAnyOrder("10.67.0.77", "10.67.0.78");
        assertThat(RealSite.addresses(site.server("node-1")))
                .as("the one that the site gives, and that by which it is reached")
                .contains(
                        "10.67.0.77",
                        site.provider().outside("node-1", site.tags().site()).orElseThrow());
        assertThat(RealSite.addresses(site.server("inner"))).hasSize(1);
        assertThat(design.byName().get("inner").address())
                .contains(RealSite.addresses(site.server("inner")).getFirst());
        site.assertUnchanged();
    }

    @Test
    void aNetworkAndASecurityGroupThatExistAreUsedAndLeft() {
        var cloud = RealCloud.cloud("tenant");
        var ofTheLab = Builders.network().name("of-the-lab").build();
        var network = cloud.client().networking().network().create(ofTheLab).getId();
        var groupOfTheLab = Builders.securityGroup().name("of-the-lab").build();
        var group = cloud.client()
                .networking()
                .securitygroup()
                .create(groupOfTheLab)
                .getId();
        try {
            var range = Map.of("network_id", network, "ip_version", 4, "cidr", "10.68.0.0/24");
            cloud.rest(Service.NETWORK).post("/subnets", Map.of("subnet", range));
            var site = tenant("{network: {existing: of-the-lab}, groups: {node: {securityGroups: [of-the-lab]}}}", ONE);

            site.make();

            assertThat(RealSite.addresses(site.server("node")))
                    .singleElement()
                    .asString()
                    .startsWith("10.68.0.");
            var port = list(site, "/ports?name=ds-it-res-node", "ports").getFirst();
            assertThat(Nodes.texts(port, "security_groups")).hasSize(2).contains(group);
            site.assertUnchanged();
            site.deleteAll();
            assertThat(list(site, "/networks?name=of-the-lab", "networks")).hasSize(1);
        } finally {
            Family.NETWORKS.delete(cloud, network);
            Family.SECURITY_GROUPS.delete(cloud, group);
        }
    }

    @Test
    void theFlowsOfAClusterAreLetInAndNothingElse() {
        var site = tenant("{" + WITH_ROUTER + ", bastion: head}", """
                machines: {head: {image: debian-12, cpus: 2, memory: 2GiB}, node: {image: debian-12, memory: 512MiB}}
                clusters: {hpc: {kind: slurm, controller: head, compute: [node]}}""");
        site.make();
        var rules = site.owned(new ResourceId(Kinds.SECURITY_RULES, "node"));
        var wanted = rules.attributes().get(Rules.RULES);
        assertThat(wanted)
                .contains("tcp 6818 from group head")
                .contains("tcp 22 from group head")
                .doesNotContain("0.0.0.0");
        var group = Family.SECURITY_GROUPS.named(site.cloud(), "ds-it-res-node").getFirst();
        var byHand = Builders.securityGroupRule()
                .securityGroupId(group.id())
                .direction("ingress")
                .protocol("tcp")
                .portRangeMin(23)
                .portRangeMax(23)
                .build();
        site.cloud().client().networking().securityrule().create(byHand);
        var opened = site.owned(rules.id());
        assertThat(opened.attributes().get(Rules.RULES)).contains("tcp 23 from anywhere");

        site.provider().update(opened, site.desired(rules.id()), Call.QUIET);

        assertThat(site.owned(rules.id()).attributes()).containsEntry(Rules.RULES, wanted);
    }

    private RealSite tenant(String openstack, String rest) {
        return RealSite.of(NAME, "tenant", folder, openstack, rest);
    }

    private static List<JsonNode> list(RealSite site, String path, String key) {
        return site.cloud().rest(Service.NETWORK).list(path, Map.of(), key);
    }

    private static JsonNode image(RealSite site, String name) {
        return site.cloud()
                .rest(Service.IMAGE)
                .list("/images", Map.of("name", "ds-it-res-" + name), "images")
                .getFirst();
    }

    private static List<Code> codes(Throwable fault) {
        return Optional.of(fault)
                .filter(Failure.class::isInstance)
                .map(Failure.class::cast)
                .map(failure -> failure.diagnostics().stream()
                        .map(diagnostic -> diagnostic.code())
                        .toList())
                .orElse(List.of());
    }

    /** An empty disk of a mebibyte: a header, an empty table of clusters, and the counts of what is used. */
    private static byte[] qcow2() {
        int cluster = 1 << 16;
        var disk = ByteBuffer.allocate(4 * cluster);
        disk.put("QFI".getBytes(StandardCharsets.US_ASCII)).put((byte) 0xfb);
        disk.putInt(2).putLong(0).putInt(0).putInt(16).putLong(1 << 20).putInt(0);
        disk.putInt(1)
                .putLong(3L * cluster)
                .putLong(cluster)
                .putInt(1)
                .putInt(0)
                .putLong(0);
        disk.putLong(cluster, 2L * cluster);
        for (int used = 0; used < 4; used++) {
            disk.putShort(2 * cluster + 2 * used, (short) 1);
        }
        return disk.array();
    }
}
