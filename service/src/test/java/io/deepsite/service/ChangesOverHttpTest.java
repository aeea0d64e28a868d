package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sites that are shared and resized, over API and pages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangesOverHttpTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    static Path folder;

    private ServiceOnFake service;
    private ServiceOnFake.Browser alice;

    @BeforeAll
    void start() {
        service = new ServiceOnFake(folder);
        alice = service.login("alice", "biologists");
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JSON.readTree(answer.body());
    }

    @Test
    void aSharedSiteIsSeenByTheColleagueAndChangedByNobodyElse() {
        var bob = service.login("bob", "biologists");
        var id = alice.order(1);
        alice.await(id, "planned");
        alice.post("/v1/sites/" + id + "/confirm", "{}");
        alice.await(id, "ready");
        assertThat(bob.get("/v1/sites/" + id).statusCode()).isEqualTo(404);

        assertThat(alice.post("/v1/sites/" + id + "/shares", "{\"person\": \"nobody\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(alice.post("/v1/sites/" + id + "/shares", "{\"person\": \"bob\"}")
                        .statusCode())
                .isEqualTo(202);

        assertThat(bob.get("/v1/sites/" + id).statusCode()).isEqualTo(200);
        assertThat(json(bob.get("/v1/sites?project=biology")).path("sites").toString())
                .contains(id);
        assertThat(bob.page("/sites/" + id).body())
                .contains("Shared with", "bob")
                .doesNotContain("/delete", "/resize", "/extend", "/shares");
        for (var change : new String[] {"confirm", "cancel", "retry", "resize", "shares", "lease"}) {
            assertThat(bob.post(
                                    "/v1/sites/" + id + "/" + change,
                                    change.equals("resize")
                                            ? "{\"parameters\": {\"nodes\": \"2\"}}"
                                            : change.equals("shares")
                                                    ? "{\"person\": \"alice\"}"
                                                    : change.equals("lease") ? "{\"extend\": \"1h\"}" : "{}")
                            .statusCode())
                    .as(change)
                    .isEqualTo(403);
        }
        assertThat(bob.delete("/v1/sites/" + id).statusCode()).isEqualTo(403);
        assertThat(bob.submit("/sites/" + id + "/delete", Map.of()).statusCode())
                .isEqualTo(403);
        // A template without accounts gives none.
        assertThat(bob.post("/v1/sites/" + id + "/certificate", "{\"key\": \"x\"}")
                        .statusCode())
                .isEqualTo(403);

        var page = alice.page("/sites/" + id).body();
        assertThat(page).contains("/sites/" + id + "/shares", "Remove");
        var share =
                json(alice.get("/v1/sites/" + id + "/shares")).path("shares").path(0);
        assertThat(share.path("name").asString()).isEqualTo("bob");
        assertThat(alice.submit("/sites/" + id + "/shares/" + share.path("id").asString() + "/end", Map.of())
                        .statusCode())
                .isEqualTo(303);
        assertThat(bob.get("/v1/sites/" + id).statusCode()).isEqualTo(404);
        alice.submit("/sites/" + id + "/shares", Map.of("person", "bob"));
        // Who left the project sees nothing of it any more.
        assertThat(service.login("bob", "physicists").get("/v1/sites/" + id).statusCode())
                .isEqualTo(404);
        alice.delete("/v1/sites/" + id);
        alice.await(id, "deleted");
    }

    @Test
    void aSiteIsResizedOnThePages() {
        var id = alice.order(1);
        alice.await(id, "planned");
        alice.post("/v1/sites/" + id + "/confirm", "{}");
        alice.await(id, "ready");
        assertThat(alice.page("/sites/" + id).body()).contains("/sites/" + id + "/resize");
        assertThat(alice.page("/sites/" + id + "/resize").body()).contains("How many machines", "value=\"1\"");

        assertThat(alice.submit("/sites/" + id + "/resize", Map.of("nodes", "99", "time", "2h"))
                        .body())
                .contains("at least 1 and at most 16", "value=\"99\"");
        assertThat(alice.submit("/sites/" + id + "/resize", Map.of("nodes", "2", "time", "2h"))
                        .statusCode())
                .isEqualTo(303);

        alice.await(id, "planned");
        assertThat(alice.site(id).path("resize").path("nodes").asString()).isEqualTo("2");
        assertThat(alice.page("/sites/" + id).body())
                .contains("Change it", "Leave it as it is", "to be 2", "machines: 1 more", "resource:instance/node-2")
                .doesNotContain("create</td><th scope=\"row\">resource:instance/node-1");
        alice.submit("/sites/" + id + "/confirm", Map.of());
        alice.await(id, "ready");
        var old = service.send(alice.change("/v1/sites/" + id + "/resize")
                .header("If-Match", "\"1\"")
                .POST(HttpRequest.BodyPublishers.ofString("{\"parameters\": {\"nodes\": \"1\"}}"))
                .build());
        assertThat(old.statusCode()).isEqualTo(412);
        alice.post("/v1/sites/" + id + "/resize", "{\"parameters\": {\"nodes\": \"1\"}}");
        alice.await(id, "planned");
        assertThat(alice.page("/sites/" + id).body()).contains("deletes machines or volumes with their data");
        alice.delete("/v1/sites/" + id);
        alice.await(id, "deleted");
    }
}
