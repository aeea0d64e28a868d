package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.ImageName;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Snapshots of servers as images; Glance lists them in one status after the other. */
final class BakedImageCallsTest {
    private static final String NAME = "deepsite-0123456789abcdef";
    private static final String ID = "0f4c2c3d-7c3e-4b1e-9d53-0b7a3c1f2e11";
    private static final ResourceId HEAD = new ResourceId(ResourceId.MACHINE, "head");
    private static final Tags TAGS =
            new Tags(new Name("slurm-openstack"), "11111111-2222-3333-4444-555555555555", Optional.empty());

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    private final Queue<String> listed = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private OpenStackProvider provider;

    @BeforeEach
    void makeServer() {
        new RecordedProject(recorded, RecordedProject.only("servers"))
                .nextServer("ACTIVE")
                .nextServer("ACTIVE");
        provider = new OpenStackProvider(
                RecordedCloud.settings(Optional.of("lab")),
                recorded.cloud(),
                Path.of(""),
                duration -> recorded.clock.now = recorded.clock.instant().plus(duration),
                recorded.clock);
        provider.create(head(), TAGS, Boot.NONE, Call.QUIET);
        recorded.on("GET /v2/images", _ -> json(200, "{\"images\": [" + next() + "]}"));
        recorded.on(
                "DELETE /v2/images/" + ID,
                _ -> new MockResponse.Builder().code(204).build());
        recorded.requests.clear();
    }

    /** The last one stays. */
    private String next() {
        return listed.size() > 1 ? listed.remove() : listed.isEmpty() ? "" : listed.element();
    }

    private static MockResponse json(int status, String body) {
        return new MockResponse.Builder()
                .code(status)
                .setHeader("Content-Type", "application/json")
                .body(body)
                .build();
    }

    private static String image(String status, String visibility) {
        return """
                {"id": "%s", "name": "%s", "status": "%s", "visibility": "%s", "size": 7, "min_disk": 1, "min_ram": 0,
                 "created_at": "2026-11-21T16:00:00Z", "deepsite-baked": "debian-12 with munge"}""".formatted(ID, NAME, status, visibility);
    }

    private static Resource head() {
        return Recorded.compile(Recorded.empty(_ -> {}), Recorded.example()).resources().stream()
                .filter(resource -> resource.id().equals(HEAD))
                .findFirst()
                .orElseThrow();
    }

    private ObservedResource seen() {
        return provider.survey(new Tags.Scope.OneSite(TAGS.site())).owned().stream()
                .filter(seen -> seen.id().equals(HEAD))
                .findFirst()
                .orElseThrow();
    }

    private ImageStore store() {
        return provider.images().orElseThrow();
    }

    private void acceptSnapshot() {
        var server = seen().handle();
        recorded.on(
                "POST /v2.1/servers/" + server + "/action",
                _ -> new MockResponse.Builder()
                        .code(202)
                        .setHeader("Location", recorded.url("v2/images/" + ID).toString())
                        .build());
        recorded.requests.clear();
    }

    @Test
    void waitsUntilNovaHasUploadedTheDisk() {
        var machine = seen();
        acceptSnapshot();
        listed.addAll(List.of("", image("queued", "private"), image("saving", "private"), image("active", "private")));

        store().publish(machine, NAME, "debian-12 with munge", Call.QUIET);

        assertThat(recorded.posted("/action"))
                .singleElement()
                .asString()
                .contains("createImage", NAME, "\"deepsite-baked\":\"debian-12 with munge\"", "\"deepsite\":\"\"");
        assertThat(store().images()).singleElement().satisfies(image -> {
            assertThat(image.names()).containsExactly(NAME);
            assertThat(image.bytes()).isEqualTo(7);
        });
    }

    @Test
    void imageThatIsThereIsKept() {
        var machine = seen();
        listed.add(image("active", "private"));

        store().publish(machine, NAME, "debian-12 with munge", Call.QUIET);

        assertThat(recorded.posted("/action")).isEmpty();
    }

    @Test
    void theSnapshotOfAKilledRunIsMadeAgain() {
        var machine = seen();
        acceptSnapshot();
        listed.addAll(List.of(image("saving", "private"), image("queued", "private"), image("active", "private")));

        store().publish(machine, NAME, "debian-12 with munge", Call.QUIET);

        assertThat(recorded.sent()).contains("DELETE /v2/images/" + ID);
        assertThat(recorded.posted("/action")).hasSize(1);
    }

    @Test
    void anUploadThatFailsIsTold() {
        var machine = seen();
        acceptSnapshot();
        listed.addAll(List.of("", image("saving", "private"), image("killed", "private")));

        assertThatThrownBy(() -> store().publish(machine, NAME, "debian-12 with munge", Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("killed");
    }

    @Test
    void machinesStartOnlyFromCompleteImagesOfTheProject() {
        var machine = head().fromBaked(NAME);
        provider.delete(seen(), Call.QUIET);

        for (var unfit : List.of(image("saving", "private"), image("active", "public"), image("active", "shared"))) {
            listed.clear();
            listed.add(unfit);
            assertThatThrownBy(() -> provider.create(machine, TAGS, Boot.NONE, Call.QUIET))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining(NAME);
        }
        listed.clear();
        listed.add(image("active", "private"));
        provider.create(machine, TAGS, Boot.NONE, Call.QUIET);

        assertThat(recorded.posted("/v2.1/servers"))
                .singleElement()
                .asString()
                .contains("\"imageRef\":\"" + ID + "\"")
                .contains(head().values().get(ServerAttributes.FINGERPRINT));
    }

    @Test
    void deletesNoImageOfTheCloud() {
        listed.add(image("active", "private").replace("deepsite-baked", "other"));

        assertThatThrownBy(() -> store().delete(new ImageName(NAME), Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(NAME);
        assertThat(recorded.sent()).noneMatch(request -> request.startsWith("DELETE"));
    }
}
