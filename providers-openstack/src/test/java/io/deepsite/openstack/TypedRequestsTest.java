package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What openstack4j's classes become on the wire: each field of a request that deepsite needs, and no other. */
final class TypedRequestsTest {
    private static final Name SITE = new Name("slurm-openstack");
    private static final Tags TAGS = new Tags(SITE, "11111111-2222-3333-4444-555555555555", Optional.empty());
    private static final ResourceId GROUP = Kinds.securityGroup(new Name("node"));

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @TempDir
    private Path folder;

    @Test
    void aSecurityGroupCarriesItsTagsInItsDescription() {
        project(tree -> tree.putArray("security_groups"));
        recorded.on("POST /v2.0/security-groups", _ -> answer("{'security_group': {'id': 'g-1'}}"))
                .on("PUT /v2.0/security-groups/g-1/tags", _ -> answer("{'tags': []}"));

        create(GROUP, Map.of());

        assertThat(sent("POST /v2.0/security-groups"))
                .isEqualTo(json("{'security_group': {'name': 'ds-slurm-openstack-node', 'description':"
                        + " 'site=slurm-openstack id=security-group/node lineage=" + TAGS.lineage() + "'}}"));
        assertThat(sent("PUT /v2.0/security-groups/g-1/tags"))
                .isEqualTo(json("{'tags': ['deepsite', 'deepsite-site=slurm-openstack']}"));
    }

    @Test
    void rulesThatAreMissingAreAddedAndOthersDeleted() {
        project(tree -> {
            var group = tree.putArray("security_groups").addObject();
            group.put("id", "g-1").put("name", "ds-slurm-openstack-node").put("description", text(GROUP));
            group.putArray("security_group_rules")
                    .add(json("{'id': 'r-1', 'direction': 'ingress', 'ethertype': 'IPv4', 'protocol': 'tcp',"
                            + " 'port_range_min': 22, 'port_range_max': 22, 'remote_ip_prefix': '10.0.0.0/8'}"))
                    .add(json("{'id': 'r-2', 'direction': 'ingress', 'ethertype': 'IPv4', 'protocol': 'tcp',"
                            + " 'port_range_min': 23, 'port_range_max': 23, 'remote_ip_prefix': null}"))
                    .add(json("{'id': 'r-3', 'direction': 'egress', 'ethertype': 'IPv4'}"));
        });
        recorded.on(
                        "DELETE /v2.0/security-group-rules/r-2",
                        _ -> new MockResponse.Builder().code(204).build())
                .on("POST /v2.0/security-group-rules", _ -> answer("{'security_group_rule': {'id': 'r-4'}}"));
        var rules = List.of(
                new Rules.Rule("IPv4", "tcp", "22", "10.0.0.0/8"),
                new Rules.Rule("IPv4", "udp", "60001-63000", "group node"));

        create(Kinds.securityRules(new Name("node")), Map.of(Rules.RULES, Rules.text(rules)));

        assertThat(changes())
                .containsExactly("DELETE /v2.0/security-group-rules/r-2", "POST /v2.0/security-group-rules");
        assertThat(sent("POST /v2.0/security-group-rules"))
                .isEqualTo(json("{'security_group_rule': {'security_group_id': 'g-1', 'direction': 'ingress',"
                        + " 'ethertype': 'IPv4', 'protocol': 'udp', 'port_range_min': 60001, 'port_range_max': 63000,"
                        + " 'remote_group_id': 'g-1'}}"));
    }

    @Test
    void aFloatingIpIsCreatedOnThePortOfItsMachine() {
        project(tree -> {
            tree.putArray("floatingips");
            tree.putArray("ports").add(port("p-1", "head"));
        });
        recorded.on(
                        "POST /v2.0/floatingips",
                        _ -> answer("{'floatingip': {'id': 'f-1', 'floating_ip_address': '192.0.2.7'}}"))
                .on("PUT /v2.0/floatingips/f-1/tags", _ -> answer("{'tags': []}"));
        var id = Kinds.floatingIp("head");

        create(id, Map.of(PortAttributes.NETWORK, "public n-9", PortAttributes.PORT, "head"));

        assertThat(sent("POST /v2.0/floatingips"))
                .isEqualTo(json("{'floatingip': {'floating_network_id': 'n-9', 'port_id': 'p-1', 'description': '"
                        + text(id) + "'}}"));
    }

    @Test
    void aFloatingIpMovesToTheNewPortOfItsMachine() {
        var id = Kinds.floatingIp("head");
        project(tree -> {
            tree.putArray("floatingips")
                    .addObject()
                    .put("id", "f-1")
                    .put("port_id", "old")
                    .put("description", text(id));
            tree.putArray("ports").add(port("p-1", "head"));
        });
        recorded.on("PUT /v2.0/floatingips/f-1", _ -> answer("{'floatingip': {'id': 'f-1'}}"));

        create(id, Map.of(PortAttributes.NETWORK, "public n-9", PortAttributes.PORT, "head"));

        assertThat(sent("PUT /v2.0/floatingips/f-1")).isEqualTo(json("{'floatingip': {'port_id': 'p-1'}}"));
    }

    @Test
    void aRouterLosesItsInterfacesBeforeItIsDeleted() {
        project(tree -> {
            tree.putArray("routers")
                    .addObject()
                    .put("id", "r-1")
                    .put("name", "x")
                    .put("description", text(Kinds.THE_ROUTER));
            tree.putArray("ports")
                    .add(json("{'id': 'p-1', 'device_id': 'r-1', 'device_owner': 'network:router_interface'}"))
                    .add(json("{'id': 'p-2', 'device_id': 'r-1', 'device_owner': 'network:router_gateway'}"))
                    .add(
                            json(
                                    "{'id': 'p-3', 'device_id': 'r-1', 'device_owner': 'network:router_interface_distributed'}"));
        });
        recorded.on(
                        "PUT /v2.0/routers/r-1/remove_router_interface",
                        request ->
                                body(Objects.requireNonNull(request.getBody()).utf8())
                                                .path("port_id")
                                                .asString()
                                                .equals("p-3")
                                        ? recorded.answer("neutron-not-found")
                                        : answer("{'id': 'r-1'}"))
                .on(
                        "DELETE /v2.0/routers/r-1",
                        _ -> new MockResponse.Builder().code(204).build());

        provider().delete(seen(Kinds.THE_ROUTER, "x", "r-1"), Call.QUIET);

        assertThat(changes())
                .containsExactly(
                        "PUT /v2.0/routers/r-1/remove_router_interface",
                        "PUT /v2.0/routers/r-1/remove_router_interface",
                        "DELETE /v2.0/routers/r-1");
    }

    @Test
    void aServerIsAskedForWithAllThatBelongsToIt() {
        var machine = new ResourceId(ResourceId.MACHINE, "head");
        var group = Kinds.serverGroup(new Name("head"));
        var flavor = Recorded.project(_ -> {}).flavors().getFirst();
        project(tree -> {
                    tree.putArray("ports").add(port("p-1", "head"));
                    tree.putArray("server_groups").addObject().put("id", "s-1").put("name", "x " + text(group));
                })
                .nextServer("ACTIVE");
        var values = Map.of(
                ServerAttributes.FLAVOR,
                flavor.name(),
                ServerAttributes.FINGERPRINT,
                "i-1",
                ServerAttributes.BOOT,
                "volume 20GiB ssd",
                ServerAttributes.CONFIG_DRIVE,
                "true",
                ServerAttributes.PLACEMENT,
                "affinity",
                ServerAttributes.ZONE,
                "west",
                ServerAttributes.METADATA + "owner",
                "physics");
        var boot = new Boot(List.of(new BootFile("/root/.ssh/authorized_keys", 0600, "ours")));

        provider()
                .create(
                        new Resource(machine, "head", attributes(values), List.of(group, Kinds.THE_KEYPAIR)),
                        TAGS,
                        boot,
                        Call.QUIET);

        var asked = (ObjectNode) sent("POST /v2.1/servers");
        assertThat(asked.path("os:scheduler_hints")).isEqualTo(json("{'group': 's-1'}"));
        var server = (ObjectNode) asked.path("server");
        assertThat(Nodes.text(server, "user_data")).isBase64();
        assertThat(Nodes.map(server, "metadata"))
                .containsEntry("deepsite", text(machine))
                .containsEntry("owner", "physics")
                .containsKey(ServerAttributes.LOGIN_KEY);
        server.remove(List.of("user_data", "metadata"));
        assertThat(server)
                .isEqualTo(json("{'name': 'head', 'flavorRef': '" + flavor.id() + "', 'networks': [{'port': 'p-1'}],"
                        + " 'config_drive': true, 'availability_zone': 'west', 'key_name': '"
                        + Ownership.keypairName(TAGS) + "', 'block_device_mapping_v2': [{'boot_index': 0,"
                        + " 'uuid': 'i-1', 'source_type': 'image', 'destination_type': 'volume', 'volume_size': 20,"
                        + " 'volume_type': 'ssd', 'delete_on_termination': true}]}"));
    }

    @Test
    void anImageIsUploadedAsItIs() throws Exception {
        Files.writeString(folder.resolve("deb.raw"), "the contents");
        project(_ -> {});
        recorded.on("POST /v2/images", _ -> answer("{'id': 'i-1', 'status': 'queued'}"))
                .on(
                        "PUT /v2/images/i-1/file",
                        _ -> new MockResponse.Builder().code(204).build());

        create(
                new ResourceId(Kinds.IMAGE, "deb"),
                Map.of(ImageChoice.FILE, "deb.raw", ImageChoice.PROPERTY + "os_distro", "debian"));

        assertThat(sent("POST /v2/images").path("os_distro").asString())
                .as("openstack4j's builder would drop it")
                .isEqualTo("debian");
        var upload = recorded.requests.getLast();
        assertThat(upload.getHeaders().get("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(Objects.requireNonNull(upload.getBody()).utf8()).isEqualTo("the contents");
    }

    @Test
    void aKeyOfMetadataMayHaveABlank() {
        var machine = new ResourceId(ResourceId.MACHINE, "head");
        var flavor = Map.of(
                ServerAttributes.FLAVOR,
                Recorded.project(_ -> {}).flavors().getFirst().name());
        var asked = new TreeMap<>(flavor);
        asked.put(ServerAttributes.METADATA + "a b", "c");
        project(tree -> tree.putArray("ports").add(port("p-1", "head"))).nextServer("ACTIVE");
        create(machine, asked);

        provider()
                .update(
                        seen(machine, Kinds.name(SITE, machine), ""),
                        new Resource(machine, Kinds.name(SITE, machine), attributes(flavor), List.of()),
                        Call.QUIET);

        assertThat(changes()).last().asString().startsWith("DELETE ").endsWith("/metadata/a%20b");
    }

    private RecordedProject project(Consumer<ObjectNode> change) {
        return new RecordedProject(recorded, change);
    }

    private static JsonNode port(String id, String machine) {
        return Json.MAPPER
                .createObjectNode()
                .put("id", id)
                .put("name", Kinds.name(SITE, Kinds.port(machine)))
                .put("description", text(Kinds.port(machine)));
    }

    private static String text(ResourceId id) {
        return new Ownership(id, TAGS).text();
    }

    private void create(ResourceId id, Map<String, String> values) {
        provider()
                .create(
                        new Resource(id, Kinds.name(SITE, id), attributes(values), List.of()),
                        TAGS,
                        Boot.NONE,
                        Call.QUIET);
    }

    private static TreeMap<String, Attribute> attributes(Map<String, String> values) {
        var attributes = new TreeMap<String, Attribute>();
        values.forEach((key, value) -> attributes.put(key, new Attribute(value, Mutability.REPLACE)));
        return attributes;
    }

    private static ObservedResource seen(ResourceId id, String name, String handle) {
        return new ObservedResource(id, name, new TreeMap<>(), TAGS, "1", Condition.READY, List.of(), 0, handle);
    }

    private OpenStackProvider provider() {
        return new OpenStackProvider(
                RecordedCloud.settings(Optional.of("lab")), recorded.cloud(), folder, _ -> {}, recorded.clock);
    }

    private List<String> changes() {
        return recorded.sent().stream()
                .filter(request -> !request.startsWith("GET ") && !request.endsWith("/v3/auth/tokens"))
                .toList();
    }

    /** The body of the one request that begins so. */
    private JsonNode sent(String request) {
        var index = recorded.sent().lastIndexOf(request);
        assertThat(index).as(request).isNotNegative();
        return body(
                Objects.requireNonNull(recorded.requests.get(index).getBody()).utf8());
    }

    private static JsonNode json(String text) {
        return body(text.replace("'", "\""));
    }

    private static JsonNode body(String text) {
        return Json.MAPPER.readTree(text);
    }

    private static MockResponse answer(String json) {
        return new MockResponse.Builder()
                .code(200)
                .setHeader("Content-Type", "application/json")
                .body(json(json).toString())
                .build();
    }
}
