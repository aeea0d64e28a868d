package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests to LXD for virtual machines and for machines on a cluster member; no host of the tests has either. */
class VirtualMachineTest {
    private final MockWebServer server = new MockWebServer();
    private final List<String> requests = new ArrayList<>();
    private JsonNode made = JsonNodeFactory.instance.nullNode();

    @BeforeEach
    void start() throws IOException {
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return answer(request);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private synchronized MockResponse answer(RecordedRequest request) {
        var said = request.getMethod() + " " + request.getTarget();
        if (!said.contains("/events") && !said.contains("/operations")) {
            requests.add(said);
        }
        if (said.startsWith("POST /1.0/instances")) {
            made = Json.MAPPER.readTree(request.getBody().utf8());
        }
        if (said.contains("/wait")) {
            return reply(200, "{\"type\":\"sync\",\"metadata\":{\"id\":\"op1\",\"status_code\":200,\"err\":\"\"}}");
        }
        if (said.startsWith("GET /1.0/instances/") || said.contains("/events")) {
            return reply(404, "{\"type\":\"error\",\"error\":\"not found\"}");
        }
        return said.startsWith("POST") || said.startsWith("PUT")
                ? reply(202, "{\"type\":\"async\",\"operation\":\"/1.0/operations/op1\",\"metadata\":{}}")
                : reply(200, "{\"type\":\"sync\",\"metadata\":{}}");
    }

    private static MockResponse reply(int code, String body) {
        return new MockResponse.Builder().code(code).body(body).build();
    }

    @Test
    void cloudInitSetsKeysBecauseFilesNeedARunningMachine() {
        var attributes = new TreeMap<String, Attribute>();
        Map.of(
                        MachineAttributes.TYPE, MachineAttributes.VIRTUAL_MACHINE,
                        MachineAttributes.TARGET, "@rack1",
                        MachineAttributes.PROFILES, "one,two",
                        MachineAttributes.FINGERPRINT, "f00d")
                .forEach((key, value) -> attributes.put(key, MachineAttributes.attribute(key, value)));
        var machine = new Resource(new ResourceId(ResourceId.MACHINE, "m"), "lab-m", attributes, List.of());
        var boot = new Boot(List.of(new BootFile(Boot.LOGIN_KEYS, 0600, "ssh-ed25519 AAAA lab\n")));
        var settings = new SampleSettings(Recorded.settings()).project("lab").lxd();
        try (var provider = new LxdProvider(settings, new Endpoint(new OkHttpClient(), server.url("/")), Path.of(""))) {
            provider.create(machine, new Tags(new Name("lab"), "l1", Optional.empty()), boot, Call.QUIET);
        }

        assertThat(requests)
                .containsExactly(
                        "GET /1.0/instances/lab-m?project=lab",
                        "POST /1.0/instances?project=lab&target=%40rack1",
                        "PUT /1.0/instances/lab-m/state?project=lab",
                        "PATCH /1.0/instances/lab-m?project=lab");
        assertThat(made.path("type").asString()).isEqualTo("virtual-machine");
        assertThat(made.path("profiles").toString()).isEqualTo("[\"one\",\"two\"]");
        assertThat(made.path("config").path("user.deepsite.project").asString()).isEqualTo("lab");
        var userData = made.path("config").path("cloud-init.user-data").asString();
        assertThat(userData).startsWith("#cloud-config\n");
        var config = Json.MAPPER.readTree(userData.substring(userData.indexOf('\n')));
        assertThat(config.path("hostname").asString()).isEqualTo("m");
        assertThat(config.path("write_files").get(0).path("path").asString()).isEqualTo(Boot.LOGIN_KEYS);
    }
}
