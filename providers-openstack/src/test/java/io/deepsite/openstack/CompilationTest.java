package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Bill;
import io.deepsite.provider.Design;
import io.deepsite.provider.Designs;
import io.deepsite.provider.Price;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class CompilationTest {
    private static final String NETWORK = "network: {external: public}";
    private static final String ONE = "{node: {image: debian-12, cpus: 1, memory: 512MiB}}";

    @Test
    void exampleNeedsExactlyThis() {
        var design = Recorded.compile(Recorded.empty(_ -> {}), Recorded.example());

        Golden.assertSame(Path.of("../site-examples/slurm-openstack/plan.txt"), Designs.words(design));
    }

    @Test
    void siteAsItIsNeedsNothingElse() {
        var snapshot = Recorded.project(_ -> {});

        var design = Recorded.compile(snapshot, Recorded.example());

        var owned = new Observation(snapshot, new Tags.Scope.AllSites()).owned();
        assertThat(owned.stream().collect(Collectors.toMap(seen -> seen.id(), seen -> Map.copyOf(seen.attributes()))))
                .isEqualTo(design.resources().stream()
                        .collect(Collectors.toMap(Resource::id, resource -> Map.copyOf(resource.values()))));
        assertThat(owned)
                .allSatisfy(seen -> assertThat(seen.name())
                        .isEqualTo(design.resources().stream()
                                .filter(resource -> resource.id().equals(seen.id()))
                                .findFirst()
                                .orElseThrow()
                                .name()));
    }

    @Test
    void endOfTheLeaseIsOnEverythingAlsoOnWhatCannotCarryIt() {
        var owned = new Observation(Recorded.project(_ -> {}), new Tags.Scope.AllSites()).owned();

        assertThat(owned)
                .extracting(seen -> seen.tags().expiresAt().orElseThrow().toString())
                .containsOnly("2031-01-02T03:04:05Z");
    }

    @Test
    void whatGoesStandsOnNothingThatGoesBefore() {
        var owned = new Observation(Recorded.project(_ -> {}), new Tags.Scope.AllSites()).owned();
        var removal = owned.stream().collect(Collectors.toMap(seen -> seen.id(), seen -> seen.removal()));
        var design = Recorded.compile(Recorded.project(_ -> {}), Recorded.example());

        assertThat(design.resources())
                .allSatisfy(resource -> assertThat(resource.dependsOn())
                        // Machines are deleted side by side, the bastion of the others among them.
                        .filteredOn(needed -> !needed.kind().equals(ResourceId.MACHINE))
                        .allSatisfy(needed -> assertThat(removal.get(needed))
                                .as(resource.id() + " needs " + needed)
                                .isGreaterThanOrEqualTo(removal.get(resource.id()))));
    }

    @Test
    void aMachineKeepsItsFlavorWhenTheCloudGetsASmallerOne() {
        var snapshot = Recorded.project(tree -> flavor(tree, "tiny", 1, 512, 1));

        assertThat(values(Recorded.compile(snapshot, Recorded.example()), "instance/node-1"))
                .containsEntry("flavor", "small");
        assertThat(values(
                        Recorded.compile(Recorded.empty(tree -> flavor(tree, "tiny", 1, 512, 1)), Recorded.example()),
                        "instance/node-1"))
                .containsEntry("flavor", "tiny");
    }

    @Test
    void aMachineKeepsItsImageWhenTheNameMeansAnother() {
        var snapshot = Recorded.project(tree -> {
            var newer = (ObjectNode) tree.path("images").path(0).deepCopy();
            tree.withArray("images").insert(0, newer.put("id", "00000000-aaaa-bbbb-cccc-000000000000"));
        });
        var old = Recorded.project(_ -> {}).images().getFirst().id();

        assertThat(values(Recorded.compile(snapshot, Recorded.example()), "instance/node-1"))
                .containsEntry("fingerprint", old);
    }

    @Test
    void gpusAreFoundByTheAliasOfTheirModelAndNoMoreThanAskedFor() {
        assertThat(gpuFlavor("{vendor: nvidia, model: t4}")).isEqualTo("gpu-t4");
        assertThat(gpuFlavor("{vendor: nvidia, model: t4, count: 2}")).isEqualTo("gpu-t4-2");
        assertThat(gpuFlavor("{vendor: nvidia, model: Tesla-A100}")).isEqualTo("gpu-a100");
        assertThat(gpuFlavor("{vendor: nvidia}")).isEqualTo("gpu-t4");
    }

    @Test
    void cardsAreNumberedAsTheDriverOfTheGuestWill() {
        var site = Recorded.site(
                "{" + NETWORK + "}", "{node: {image: debian-12, gpus: [{vendor: nvidia, model: t4, count: 2}]}}");

        assertThat(Recorded.compile(Recorded.empty(_ -> {}), site)
                        .machines()
                        .getFirst()
                        .gpus())
                .extracting(gpu -> gpu.device())
                .containsExactly("/dev/nvidia0", "/dev/nvidia1");
    }

    @Test
    void ipv6IsBesideIpv4() {
        var design = Recorded.compile(
                Recorded.empty(_ -> {}),
                Recorded.site(
                        "{network: {external: public, ipv6: 'fd00:64::/64', dns: [192.0.2.1, '2001:db8::1']}}", ONE));

        assertThat(values(design, "port/node")).containsEntry("address", "10.64.0.18, fd00:64::12");
        assertThat(values(design, "subnet/ipv6")).containsEntry("dns", "2001:db8::1");
        assertThat(values(design, "router/router")).containsEntry("subnets", "ipv4, ipv6");
        assertThat(values(design, "security-rules/node").get("rules")).contains("tcp 22 from ::/0");
    }

    @Test
    void addressesOfOthersOnAnExistingNetworkAreLeftOut() {
        var site = Recorded.site("{network: {existing: lab-net}}", ONE);
        var first = address(Recorded.compile(Recorded.empty(Recorded::shareNetwork), site));

        var other = address(Recorded.compile(
                Recorded.empty(tree -> {
                    Recorded.shareNetwork(tree);
                    var port = tree.withArray("ports").addObject();
                    port.put("id", "p-1").put("network_id", "n-1");
                    port.putArray("fixed_ips").addObject().put("ip_address", first);
                }),
                site));

        assertThat(first).startsWith("192.0.2.");
        assertThat(other).startsWith("192.0.2.").isNotEqualTo(first);
    }

    @Test
    void anExistingNetworkIsUsedAndNothingIsMadeOfIt() {
        var design = Recorded.compile(
                Recorded.empty(Recorded::shareNetwork), Recorded.site("{network: {existing: lab-net}}", ONE));

        assertThat(design.resources())
                .extracting(resource -> resource.id().kind())
                .containsExactlyInAnyOrder("security-group", "security-rules", "keypair", "port", "instance");
        assertThat(values(design, "port/node")).containsEntry("network", "lab-net n-1");
    }

    @Test
    void volumesAreMadeAndAttachedAndAMachineMayStartFromOne() {
        var snapshot = Recorded.empty(CompilationTest::withVolumes);
        var site = Recorded.site(
                "{" + NETWORK
                        + ", groups: {node: {bootVolume: {type: ssd}, volumes: {scratch: {size: 100GiB, type: ssd}}}}}",
                "{node: {image: debian-12, memory: 512MiB, disk: 20GiB}}");

        var design = Recorded.compile(snapshot, site);

        assertThat(values(design, "volume/node-scratch")).isEqualTo(Map.of("size", "100GiB", "type", "ssd"));
        assertThat(values(design, "instance/node"))
                .containsEntry("boot", "volume 20GiB ssd")
                .containsEntry("volume.scratch", "node-scratch")
                .containsEntry("flavor", "small");
    }

    @Test
    void anUploadedImageIsAResourceOfTheSite() {
        var site = Recorded.site(
                "{" + NETWORK + ", images: {deb: {file: deb.raw, format: raw, properties: {hypervisor_type: lxd}}}}",
                "{node: {image: deb, memory: 512MiB}}");
        var snapshot = Recorded.empty(tree -> tree.putObject("files")
                .putArray("deb")
                .add("deb.raw")
                .add(1_000_000)
                .add(""));

        var design = Recorded.compile(snapshot, site);

        assertThat(values(design, "image/deb"))
                .containsEntry("format", "raw")
                .containsEntry("property.hypervisor_type", "lxd");
        assertThat(resource(design, "instance/node").dependsOn()).contains(new ResourceId("image", "deb"));
    }

    @Test
    void anAdministratorMayHaveFlavorsMade() {
        var site = Recorded.site(
                "{" + NETWORK + ", createFlavors: true}",
                "{node: {image: debian-12, cpus: 64, memory: 1GiB, disk: 7GiB}}");

        var design = Recorded.compile(Recorded.empty(tree -> tree.put("admin", true)), site);

        assertThat(values(design, "flavor/node")).isEqualTo(Map.of("cpus", "64", "memory", "1024MiB", "disk", "7GiB"));
        assertThat(values(design, "instance/node")).containsEntry("flavor", "ds-lab-node-64c-1024m-7g");
    }

    @Test
    void aFlavorThatIsMadeHasTheExtraSpecsThatBringItsCards() {
        var site = Recorded.site(
                "{" + NETWORK
                        + ", createFlavors: true, groups: {node: {extraSpecs: {'lxd:gpus': '2', 'lxd:gpu_model': h100}}}}",
                "{node: {image: debian-12, memory: 1GiB, gpus: [{vendor: nvidia, model: h100, count: 2}]}}");

        var design = Recorded.compile(Recorded.empty(tree -> tree.put("admin", true)), site);

        assertThat(values(design, "flavor/node"))
                .containsEntry("spec.lxd:gpus", "2")
                .containsEntry("spec.lxd:gpu_model", "h100");
        var other = Recorded.site(
                "{" + NETWORK + ", createFlavors: true, groups: {node: {extraSpecs: {'hw:cpu_policy': dedicated}}}}",
                "{node: {image: debian-12, memory: 1GiB}}");
        assertThat(values(Recorded.compile(Recorded.empty(tree -> tree.put("admin", true)), other), "instance/node")
                        .get("flavor"))
                .as("other specs are another flavor")
                .startsWith("ds-lab-node-1c-1024m-0g-")
                .isNotEqualTo(values(design, "instance/node").get("flavor"));
    }

    @Test
    void aFlavorThatIsThereIsTakenWithTheExtraSpecsThatAreAsked() {
        var site = Recorded.site(
                "{" + NETWORK + ", groups: {node: {extraSpecs: {'hw:cpu_policy': dedicated}}}}",
                "{node: {image: debian-12, memory: 1GiB}}");

        var design = Recorded.compile(
                Recorded.empty(tree -> {
                    flavor(tree, "pinned", 16, 65536, 100);
                    ((ObjectNode) tree.path("flavors").path(tree.path("flavors").size() - 1))
                            .putObject("extra_specs")
                            .put("hw:cpu_policy", "dedicated")
                            .put("hw:mem_page_size", "large");
                }),
                site);

        assertThat(values(design, "instance/node")).containsEntry("flavor", "pinned");
    }

    @Test
    void theNetworkOutsideIsMadeForAnAdministratorAndComesBeforeTheRouter() {
        var site = Recorded.site(
                "{network: {externalNetwork: {type: vlan, physical: physnet1, segment: 203, cidr: 203.0.113.0/24,"
                        + " gateway: 203.0.113.1, first: 203.0.113.100, last: 203.0.113.199}}, bastion: node}",
                ONE);

        var design = Recorded.compile(Recorded.empty(tree -> tree.put("admin", true)), site);

        assertThat(values(design, "network/external")).isEqualTo(Map.of("provider", "vlan physnet1 203"));
        assertThat(values(design, "subnet/external"))
                .isEqualTo(Map.of(
                        "cidr", "203.0.113.0/24", "gateway", "203.0.113.1", "pool", "203.0.113.100-203.0.113.199"));
        assertThat(values(design, "router/router")).containsEntry("external", "ds-lab-external");
        assertThat(resource(design, "router/router").dependsOn()).contains(Kinds.EXTERNAL_SUBNET);
        assertThat(values(design, "floating-ip/node")).containsEntry("network", "ds-lab-external");
    }

    @Test
    void whatStandsThereAlreadyNeedsNoMoreOfTheQuota() {
        var snapshot = Recorded.project(tree -> {
            for (var quota : List.of("INSTANCES", "PORTS", "FLOATING_IPS", "SECURITY_GROUP_RULES", "ROUTERS")) {
                tree.withObject("quotas").putArray(quota).add(0).add(0);
            }
        });

        var design = Recorded.compile(snapshot, Recorded.example());

        assertThat(design.machines()).hasSize(3);
        assertThat(design.bill().limits()).isEmpty();
        assertThat(design.bill().rates()).extracting(Bill.Rate::machines).containsExactly(1, 2);
    }

    @Test
    void theBillHasWhatIsLimitedAndAPriceOfTheFlavorsThatHaveOne() {
        var site = Recorded.site(
                "{" + NETWORK + ", prices: {small: 0.04 EUR}}",
                "{head: {image: debian-12, cpus: 2, memory: 2GiB}, node: {image: debian-12, memory: 512MiB, count: 2}}");
        var snapshot = Recorded.empty(tree -> {
            tree.withObject("quotas").removeAll();
            tree.withObject("quotas").putArray("CORES").add(20).add(15);
        });

        var bill = Recorded.compile(snapshot, site).bill();

        assertThat(bill.limits()).containsExactly(new Bill.Limit("the project lab", "cores", 4, 15, 20));
        assertThat(bill.rates())
                .containsExactly(
                        new Bill.Rate("medium", 1, Optional.empty()),
                        new Bill.Rate("small", 2, Optional.of(Price.parse("0.04 EUR"))));
    }

    @Test
    void theBastionIsReachedByItsFloatingAddressAndTheOthersThroughIt() {
        var machines =
                Recorded.compile(Recorded.project(_ -> {}), Recorded.example()).machines();

        assertThat(machines.get(0).outside())
                .hasValueSatisfying(address -> assertThat(address).startsWith("203.0.113."));
        assertThat(machines.get(0).via()).isEmpty();
        assertThat(machines.get(1).outside()).isEmpty();
        assertThat(machines.get(1).via()).contains("head");
    }

    @Test
    void aGroupOfThousandsIsCompiledInNoTime() {
        var site = Recorded.site(
                "{network: {external: public, cidr: 10.64.0.0/16}}",
                "{node: {image: debian-12, memory: 512MiB, count: 5000}}");

        var design = Recorded.compile(Recorded.empty(_ -> {}), site);

        assertThat(design.machines().stream()
                        .flatMap(machine -> machine.address().stream())
                        .distinct())
                .hasSize(5000);
    }

    private static String gpuFlavor(String gpu) {
        var site = Recorded.site("{" + NETWORK + "}", "{node: {image: debian-12, gpus: [" + gpu + "]}}");
        return values(Recorded.compile(Recorded.empty(_ -> {}), site), "instance/node")
                .getOrDefault("flavor", "");
    }

    private static void withVolumes(ObjectNode tree) {
        for (var type : List.of("ssd", "hdd")) {
            tree.withArray("volume_types").addObject().put("name", type);
        }
    }

    private static void flavor(ObjectNode tree, String name, int cpus, int memory, int disk) {
        tree.withArray("flavors")
                .addObject()
                .put("id", name)
                .put("name", name)
                .put("vcpus", cpus)
                .put("ram", memory)
                .put("disk", disk);
    }

    private static String address(Design design) {
        return design.machines().getFirst().address().orElseThrow();
    }

    private static Resource resource(Design design, String id) {
        return design.resources().stream()
                .filter(one -> one.id().toString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, String> values(Design design, String id) {
        return resource(design, id).values();
    }
}
