package io.deepsite.openstack;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import mockwebserver3.MockResponse;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What the provider does and reports when Nova fails, when Neutron refuses to delete something, and when a file is gone. */
final class OpenStackCallsTest {
    private static final String SITE = "slurm-openstack";
    private static final String LINEAGE = "11111111-2222-3333-4444-555555555555";
    private static final Tags TAGS = new Tags(new Name(SITE), LINEAGE, Optional.empty());
    private static final ResourceId HEAD = new ResourceId(ResourceId.MACHINE, "head");
    private static final String NETWORK = "afbe7bc6-d8ac-4c9c-b596-a622ad945a5b";
    private static final String DELETE_NETWORK = "DELETE /v2.0/networks/" + NETWORK;
    private static final String PORT = "37b6cde7-20e3-4ca9-9618-81c1c5231375";
    private static final String ROUTER = "dd07759d-3f8f-48c4-8ab0-590c0605613e";
    private static final BootFile LOGIN = new BootFile("/root/.ssh/authorized_keys", 0600, "ours");
    private static final Boot KEYS =
            new Boot(List.of(LOGIN, new BootFile("/etc/ssh/ssh_host_ed25519_key", 0600, "secret")));

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Call call = new Call() {
        @Override
        public void progress(String what) {
            told.add(what);
        }

        @Override
        public boolean cancelled() {
            return false;
        }
    };

    @TempDir
    private Path folder;

    @Test
    void aServerThatFailsOnceIsDeletedAndMadeAgainOnTheSamePort() {
        var project = project().nextServer("ERROR").nextServer("ACTIVE");

        provider(2).create(head(), TAGS, KEYS, call);

        assertThat(project.statuses()).containsExactly("ACTIVE");
        assertThat(sent("POST")).hasSize(2);
        assertThat(sent("DELETE")).hasSize(1);
        assertThat(recorded.posted("/v2.1/servers"))
                .allSatisfy(body -> assertThat(body).contains("{\"port\":\"a1ad5010-d728-41e9-90fc-d0af300ceafb\"}"));
        assertThat(told)
                .contains("failed: No valid host was found (request id req-30afcc7b-f878-4157-9d44-ec6698ee0001)");
    }

    @Test
    void aServerThatFailedOnAHostIsMadeAgainInAnotherZone() {
        project()
                .nextServer("BUILD east", "ERROR")
                .nextServer("BUILD west", "ERROR")
                .nextServer("ACTIVE");

        provider(2).create(head(), TAGS, KEYS, call);

        assertThat(recorded.posted("/v2.1/servers"))
                .extracting(body -> body.replaceAll(".*\"availability_zone\":\"([^\"]*)\".*", "$1"))
                .as("the scheduler's choice, the other zone, and its own choice again when there is no third")
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("{"),
                        second -> assertThat(second).isEqualTo("west"),
                        third -> assertThat(third).startsWith("{"));
        assertThat(told).contains("creating in the zone west");
    }

    @Test
    void aServerWhoseZoneTheSiteNamesIsMadeAgainThere() {
        project().nextServer("ERROR east").nextServer("ACTIVE");
        var head = head();
        var attributes = new TreeMap<>(head.attributes());
        attributes.put(ServerAttributes.ZONE, ServerAttributes.attribute(ServerAttributes.ZONE, "east"));

        provider(2).create(new Resource(head.id(), head.name(), attributes, head.dependsOn()), TAGS, KEYS, call);

        assertThat(recorded.posted("/v2.1/servers"))
                .hasSize(2)
                .allSatisfy(body -> assertThat(body).contains("\"availability_zone\":\"east\""));
    }

    @Test
    void aServerThatFailsEachTimeIsToldInNovasWordsAndLeavesNothing() {
        var project = project().nextServer("ERROR").nextServer("ERROR").nextServer("ERROR");

        assertReads("machines/DS2333-each-time", () -> provider(2).create(head(), TAGS, KEYS, call));

        assertThat(project.statuses()).isEmpty();
        assertThat(sent("POST")).hasSize(3);
        assertThat(sent("DELETE"))
                .as("each server, and nothing else")
                .hasSize(3)
                .allMatch(request -> request.startsWith("DELETE /v2.1/servers/"));
    }

    @Test
    void aServerIsMadeOnceWhereNoMoreIsAllowed() {
        var project = project().nextServer("ERROR").hideActions();

        assertReads("machines/DS2333-once", () -> provider(0).create(head(), TAGS, KEYS, call));

        assertThat(project.statuses()).isEmpty();
        assertThat(sent("POST")).hasSize(1);
    }

    @Test
    void aServerThatSomebodyElseDeletesIsNotMadeForever() {
        project().nextServer("BUILD", "gone");

        assertReads("machines/DS2333-gone-again", () -> provider(2).create(head(), TAGS, KEYS, call));

        assertThat(sent("POST")).hasSize(1);
    }

    @Test
    void aServerThatDoesNotStartAgainIsKept() {
        var project = project().nextServer("SHUTOFF").nextAction("SHUTOFF", "ERROR");

        assertReads("machines/DS2333-not-started", () -> provider(2).create(head(), TAGS, KEYS, call));

        assertThat(project.statuses()).containsExactly("ERROR");
        assertThat(recorded.posted("/action")).containsExactly("{\"os-start\":{}}");
        assertThat(sent("DELETE")).isEmpty();
    }

    @Test
    void aStoppedServerIsStarted() {
        var project = project().nextServer("SHUTOFF").nextAction("SHUTOFF", "ACTIVE");

        provider(2).create(head(), TAGS, KEYS, call);

        assertThat(project.statuses()).containsExactly("ACTIVE");
    }

    @Test
    void aServerThatIsBuiltForHoursIsToldAndKept() {
        var project = project().nextServer("BUILD");

        assertReads(
                "machines/DS2336-server",
                () -> provider(2, Duration.ofMinutes(10)).create(head(), TAGS, KEYS, call));

        assertThat(project.statuses()).containsExactly("BUILD");
        assertThat(recorded.clock.instant()).isAfter(RecordedCloud.NOW.plus(Duration.ofMinutes(45)));
        assertThat(sent("DELETE")).isEmpty();
    }

    @Test
    void aServerThatDoesNotRunIsDownAndOneThatIsStartedIsNot() {
        var project = project();
        var site = new Name(SITE);
        assertThat(provider(2).down("head", site)).contains("it is not there");

        project.nextServer("ACTIVE", "REBOOT", "SHUTOFF", "ERROR");
        provider(2).create(head(), TAGS, KEYS, call);
        assertThat(provider(2).down("head", site)).isEmpty();

        project.step();
        assertThat(provider(2).down("head", site)).isEmpty();

        project.step();
        assertThat(provider(2).down("head", site)).contains("its status is SHUTOFF");

        project.step();
        assertThat(provider(2).down("head", site))
                .contains("its status is ERROR, because: No valid host was found"
                        + " (request id req-30afcc7b-f878-4157-9d44-ec6698ee0001)");
    }

    @Test
    void aServerKeepsTheKeysThatItWasMadeWith() {
        project().nextServer("ACTIVE");
        var provider = provider(2);
        provider.create(head(), TAGS, KEYS, call);
        var requests = sent("POST");
        var others = new Boot(List.of(new BootFile("/root/.ssh/authorized_keys", 0600, "others")));

        provider.place(seen(HEAD, SITE + "-head"), KEYS, call);
        assertReads("machines/DS2335-keys", () -> provider.place(seen(HEAD, SITE + "-head"), others, call));
        var another = new Boot(List.of(LOGIN, new BootFile("/etc/ssh/ssh_host_ed25519_key", 0600, "another")));
        assertReads("machines/DS2335-keys", () -> provider.place(seen(HEAD, SITE + "-head"), another, call));
        // The machine has a new host key now: the injected one does not matter any more.
        provider.place(seen(HEAD, SITE + "-head"), new Boot(List.of(LOGIN)), call);

        assertThat(sent("POST")).isEqualTo(requests);
        assertThat(sent("DELETE")).isEmpty();
    }

    @Test
    void whatHoldsANetworkIsNamed() {
        networkHeldFor(Integer.MAX_VALUE, port(PORT, "compute:east", "f64c0cce-c8c9-4c9a-8ea7-ed3fe5f2ba0b"));

        reads("network/DS2334-network", () -> provider(2).delete(network(), call));

        assertThat(sent("DELETE")).hasSize(8).containsOnly(DELETE_NETWORK);
        assertThat(pauses).hasSize(7);
    }

    @Test
    void allThatHoldANetworkAreNamedButThePortsThatNeutronDeletesItself() {
        networkHeldFor(
                Integer.MAX_VALUE,
                port(PORT, "", ""),
                port("5c793403-55e2-4cec-b10b-ced3adde7365", "network:router_interface", ROUTER),
                port("eca23bde-c915-429d-816c-cd4ffef58e9a", "network:dhcp", "dhcp-of-the-network"));

        reads("network/DS2334-several-ports", () -> provider(2).delete(network(), call));
    }

    @Test
    void aNetworkGoesWhenItsLastPortHasGoneByItself() {
        networkHeldFor(2, port(PORT, "compute:east", "f64c0cce-c8c9-4c9a-8ea7-ed3fe5f2ba0b"));

        provider(2).delete(network(), call);

        assertThat(sent("DELETE")).hasSize(3);
        assertThat(pauses).hasSize(2);
        assertThat(told).containsExactly("still in use", "still in use");
    }

    @Test
    void aFileOfSiteYamlThatIsNotThereIsToldWithItsKey() {
        project();

        reads(
                "machines/DS2332-image",
                () -> provider("images: {deb: {file: deb.raw, format: raw}}")
                        .survey(new Tags.Scope.OneSite(new Name("lab"))));
        reads(
                "machines/DS2332-user-data",
                () -> provider("groups: {node: {userData: node.sh}}").survey(new Tags.Scope.OneSite(new Name("lab"))));
    }

    @Test
    void aFileThatIsGoneSinceThePlanIsTold() {
        project();
        var attributes = new TreeMap<>(head().attributes());
        attributes.put(
                ServerAttributes.USER_DATA,
                ServerAttributes.attribute(ServerAttributes.USER_DATA, "node.sh 0123456789abcdef"));
        var machine = new Resource(HEAD, head().name(), attributes, head().dependsOn());

        reads("machines/DS2332-user-data-gone", () -> provider(2).create(machine, TAGS, KEYS, call));

        assertThat(sent("POST")).isEmpty();
    }

    @Test
    void anImageWhoseFileIsGoneSinceThePlanIsTold() {
        project();
        recorded.on(
                "POST /v2/images",
                _ -> new MockResponse.Builder()
                        .code(201)
                        .setHeader("Content-Type", "application/json")
                        .body("{\"id\": \"0f4c2c3d-7c3e-4b1e-9d53-0b7a3c1f2e11\", \"status\": \"queued\"}")
                        .build());
        var attributes = new TreeMap<String, Resource.Attribute>();
        attributes.put(ImageChoice.FILE, new Resource.Attribute("deb.raw", Resource.Mutability.IN_PLACE));
        var image = new Resource(new ResourceId(Kinds.IMAGE, "deb"), "ds-" + SITE + "-deb", attributes, List.of());

        reads("machines/DS2332-image-gone", () -> provider(2).create(image, TAGS, Boot.NONE, call));
    }

    private RecordedProject project() {
        return new RecordedProject(recorded, RecordedProject.only("servers"));
    }

    /** @param tries to delete it that Neutron refuses */
    private void networkHeldFor(int tries, ObjectNode... ports) {
        new RecordedProject(recorded, RecordedProject.only("ports", ports));
        var left = new AtomicInteger(tries);
        var inUse = Arrays.stream(ports)
                .filter(port -> !Nodes.text(port, "device_owner").equals("network:dhcp"))
                .map(port -> Nodes.text(port, "id"))
                .collect(Collectors.joining(","));
        recorded.on(
                DELETE_NETWORK,
                _ -> left.getAndDecrement() > 0
                        ? recorded.answer(
                                "neutron-network-in-use",
                                body -> body.replace("3f1b2d94-4930-4cdc-af9e-0c4a26862801", NETWORK)
                                        .replace(PORT, inUse))
                        : new MockResponse.Builder().code(204).build());
    }

    private static ObjectNode port(String id, String owner, String device) {
        return Json.MAPPER
                .createObjectNode()
                .put("id", id)
                .put("network_id", NETWORK)
                .put("device_owner", owner)
                .put("device_id", device);
    }

    private OpenStackProvider provider(int retries) {
        return provider(retries, Duration.ZERO);
    }

    /** @param lag by which each pause takes longer */
    private OpenStackProvider provider(int retries, Duration lag) {
        var plain = RecordedCloud.settings(Optional.of("lab"));
        var settings = new OpenStackSettings(
                plain.cloud(),
                plain.region(),
                plain.facing(),
                plain.network(),
                plain.images(),
                plain.groups(),
                plain.bastion(),
                plain.createFlavors(),
                retries,
                plain.prices());
        return provider(settings, lag);
    }

    private OpenStackProvider provider(String more) {
        var site = Recorded.site(
                "{cloud: lab, network: {external: public}, " + more + "}",
                "{node: {image: debian-12, memory: 512MiB}}");
        return provider((OpenStackSettings) site.provider(), Duration.ZERO);
    }

    private OpenStackProvider provider(OpenStackSettings settings, Duration lag) {
        Pause pause = duration -> {
            pauses.add(duration);
            recorded.clock.now = recorded.clock.instant().plus(duration).plus(lag);
        };
        return new OpenStackProvider(settings, recorded.cloud(), folder, pause, recorded.clock);
    }

    private static Resource head() {
        return Recorded.compile(Recorded.empty(_ -> {}), Recorded.example()).resources().stream()
                .filter(resource -> resource.id().equals(HEAD))
                .findFirst()
                .orElseThrow();
    }

    private static ObservedResource network() {
        return seen(Kinds.THE_NETWORK, "ds-" + SITE + "-net");
    }

    private static ObservedResource seen(ResourceId id, String name) {
        return new ObservedResource(id, name, new TreeMap<>(), TAGS, "1", Condition.READY, List.of());
    }

    private List<String> sent(String method) {
        return recorded.sent().stream()
                .filter(request -> request.startsWith(method + " ") && !request.endsWith("/v3/auth/tokens"))
                .toList();
    }

    private void reads(String name, ThrowingCallable what) {
        UnaryOperator<String> atHome = text -> text.replace(folder.toString(), "/home/ada/lab")
                .replaceAll("(127\\.0\\.0\\.1|localhost):[0-9]+", "cloud.example");
        assertReads(name, what, atHome);
    }
}
