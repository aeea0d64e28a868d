package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Pause;
import io.deepsite.provider.ResourceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openstack4j.model.compute.Action;

/** What a site may ask of its machines, on a real OpenStack: flavors with cards, hosts, zones, user data. */
final class OpenStackMachinesIT {
    private static final String NAME = "it-machines";
    private static final String KEYPAIR = "ds-it-machines-login-" + RealSite.LINEAGE;
    private static final ResourceId NODE = new ResourceId(Kinds.SERVER, "node");
    private static final String NETWORK = "network: {cidr: 10.69.0.0/24}";
    private static final String ONE = "machines: {node: {image: debian-12, cpus: 1, memory: 512MiB}}";

    @TempDir
    private Path folder;

    @AfterEach
    void cleanUp() {
        tenant("{" + NETWORK + "}", ONE).deleteAll();
    }

    @Test
    void flavorsWithCardsAreFoundByAliasAndByResourceClass() {
        var machines =
                "machines: {two: {image: debian-12, cpus: 1, memory: 512MiB, gpus: [{vendor: nvidia, model: t4, count: 2}]},"
                        + " a100: {image: debian-12, cpus: 1, memory: 512MiB, gpus: [{vendor: nvidia, model: a100}]},"
                        + " virtual: {image: debian-12, cpus: 1, memory: 512MiB, gpus: [{vendor: nvidia, model: vgpu}]}}";
        var site = tenant("{" + NETWORK + "}", machines);

        site.make();

        assertThat(List.of("two", "a100", "virtual"))
                .extracting(group -> Nodes.text(site.server(group).path("flavor"), "original_name"))
                .containsExactly("gpu-t4-2", "gpu-a100", "vgpu");
        assertThat(site.conditions()).containsOnly(Condition.READY);
        site.assertUnchanged();
    }

    @Test
    void moreCardsThanTheCloudHasEndInNovasWords() {
        var machines = "machines: {node: {image: debian-12, count: 3, cpus: 1, memory: 512MiB,"
                + " gpus: [{vendor: nvidia, model: a100}]}}";
        var site = tenant("{" + NETWORK + ", retries: 0}", machines);
        var design = site.compile();
        site.createAllButMachines(design, site.tags());

        assertThatThrownBy(() -> site.makeInTurn(design, "node")).hasMessageContaining("No valid host was found");

        assertThat(site.conditions())
                .as("as many as there are cards")
                .hasSize(2)
                .containsOnly(Condition.READY);
    }

    @Test
    void whatIsHandedToAMachineReachesIt() throws IOException {
        Files.writeString(folder.resolve("own.yml"), "#cloud-config\npackages: [htop]\n");
        var site = tenant(
                "{" + NETWORK + ", groups: {node: {configDrive: true, userData: own.yml, zone: west,"
                        + " metadata: {owner: physics, room: \"1.23\"}}}}",
                ONE);

        site.make();

        var server = site.server("node");
        assertThat(Nodes.text(server, "key_name")).isEqualTo(KEYPAIR);
        assertThat(Nodes.text(server, "config_drive")).isEqualTo("True");
        assertThat(Nodes.text(server, "OS-EXT-AZ:availability_zone")).isEqualTo("west");
        assertThat(Nodes.map(server, "metadata"))
                .containsEntry("owner", "physics")
                .containsEntry("room", "1.23");
        var id = Nodes.text(server, "id");
        var asAdmin = RealCloud.cloud("admin")
                .rest(Service.COMPUTE)
                .get("/servers/" + id)
                .path("server");
        var userData = new String(
                Base64.getDecoder().decode(Nodes.text(asAdmin, "OS-EXT-SRV-ATTR:user_data")), StandardCharsets.UTF_8);
        assertThat(userData).contains("packages: [htop]").contains("\"hostname\" : \"node\"");
        site.assertUnchanged();
    }

    @Test
    void theLoginKeyIsAKeypairOfTheSite() {
        var site = tenant("{" + NETWORK + "}", ONE);

        site.make(Kinds.KEYPAIR);

        var keypair = site.cloud().client().compute().keypairs().get(KEYPAIR);
        assertThat(keypair.getPublicKey())
                .isEqualTo(RealSite.LOGIN.loginKeys().orElseThrow().strip());
        site.deleteAll();
        assertThat(Family.KEYPAIRS.all(site.cloud()))
                .extracting(Snapshot.Keypair::name)
                .doesNotContain(KEYPAIR);
    }

    @Test
    void groupsOfMachinesLieOnHostsAsAsked() {
        var site = tenant(
                "{" + NETWORK + ", retries: 0, groups: {near: {placement: affinity}, far: {placement: anti-affinity}}}",
                "machines: {near: {image: debian-12, count: 2, cpus: 1, memory: 512MiB},"
                        + " far: {image: debian-12, count: 4, cpus: 1, memory: 512MiB}}");

        var design = site.compile();
        site.createAllButMachines(design, site.tags());

        site.makeInTurn(design, "near");
        assertThatThrownBy(() -> site.makeInTurn(design, "far"))
                .as("there are three hosts")
                .hasMessageContaining("No valid host was found");

        var hosts = RealCloud.cloud("admin")
                .rest(Service.COMPUTE)
                .list("/servers/detail", Map.of("all_tenants", "1", "name", "^" + NAME), "servers")
                .stream()
                .collect(Collectors.groupingBy(
                        node -> Nodes.text(node, "name").replaceFirst(NAME + "-(.*)-[0-9]+$", "$1"),
                        Collectors.mapping(node -> Nodes.text(node, "OS-EXT-SRV-ATTR:host"), Collectors.toList())));
        assertThat(hosts.get("far")).hasSize(3).doesNotHaveDuplicates();
        assertThat(hosts.get("near")).hasSize(2);
        assertThat(Set.copyOf(hosts.get("near"))).hasSize(1);
    }

    @Test
    void aMachineIsResizedAndStartedAgain() {
        var site = tenant("{" + NETWORK + "}", ONE);
        site.make();
        var larger = tenant("{" + NETWORK + "}", "machines: {node: {image: debian-12, cpus: 2, memory: 2GiB}}");

        larger.provider().update(site.owned(NODE), larger.desired(Kinds.SERVER), Call.QUIET);

        assertThat(larger.owned(NODE).attributes()).containsEntry("flavor", "medium");
        assertThat(larger.owned(NODE).condition()).isEqualTo(Condition.READY);
        var id = Nodes.text(larger.server("node"), "id");
        larger.cloud().client().compute().servers().action(id, Action.STOP);
        while (!Nodes.text(larger.server("node"), "status").equals("SHUTOFF")) {
            Pause.REAL.of(Duration.ofMillis(200));
        }
        assertThat(larger.owned(NODE).condition()).isEqualTo(Condition.STOPPED);

        larger.provider().update(larger.owned(NODE), larger.desired(Kinds.SERVER), Call.QUIET);

        assertThat(larger.owned(NODE).condition()).isEqualTo(Condition.READY);
    }

    private RealSite tenant(String openstack, String rest) {
        return RealSite.of(NAME, "tenant", folder, openstack, rest);
    }
}
