package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** API and pages over HTTP, as programs and browsers use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceTest {
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
    void aSiteIsOrderedFollowedUsedAndDeletedOverTheApi() {
        var id = alice.order(1);
        alice.await(id, "planned");
        assertThat(alice.post("/v1/sites/" + id + "/confirm", "{}").statusCode())
                .isEqualTo(202);
        alice.await(id, "ready");
        var site = alice.site(id);
        assertThat(site.path("runs")
                        .path(0)
                        .path("result")
                        .path("hosts")
                        .path("node-1")
                        .asString())
                .isNotEmpty();

        var end = site.path("endsAt").asString();
        var extended = alice.post("/v1/sites/" + id + "/lease", "{\"extend\": \"1h\"}");
        assertThat(extended.statusCode()).isEqualTo(200);
        assertThat(json(extended).path("endsAt").asString()).isGreaterThan(end);

        assertThat(alice.delete("/v1/sites/" + id).statusCode()).isEqualTo(202);
        alice.await(id, "deleted");
        assertThat(service.cloud.things())
                .noneMatch(thing -> thing.contains(site.path("name").asString()));
    }

    @Test
    void aSiteIsOrderedOnThePages() {
        var home = alice.page("/");
        assertThat(home.body())
                .contains("A cluster", "/order/hpc?project=biology")
                .doesNotContain("For physicists");
        assertThat(alice.page("/order/hpc?project=biology").body()).contains("How many machines", "min=\"1\"");

        var sent = alice.submit(
                "/order/hpc", Map.of("project", "biology", "site-title", "<b>mine</b>", "nodes", "1", "time", "2h"));

        assertThat(sent.statusCode()).isEqualTo(303);
        var path = sent.headers().firstValue("Location").orElseThrow();
        var id = path.substring("/sites/".length());
        alice.await(id, "planned");
        var page = alice.page(path).body();
        assertThat(page).contains("Build it", "resource:instance/node-1", "&lt;b&gt;mine&lt;/b&gt;");
        assertThat(page).doesNotContain("<b>mine");
        assertThat(alice.submit(path + "/delete", Map.of()).statusCode()).isEqualTo(303);
        alice.await(id, "deleted");
    }

    @Test
    void aSiteThatIsToBeginLaterWaitsForItsTime() {
        var fields = Map.of("project", "biology", "site-title", "later", "nodes", "1", "time", "2h");
        var typed = new TreeMap<>(fields);
        typed.put("site-start", "2099-01-02T03:04");
        var sent = alice.submit("/order/hpc", typed);
        var path = sent.headers().firstValue("Location").orElseThrow();
        var id = path.substring("/sites/".length());
        alice.await(id, "planned");

        alice.submit(path + "/confirm", Map.of());

        assertThat(alice.site(id).path("status").asString()).isEqualTo("waiting");
        assertThat(alice.page(path).body()).contains("It will be built at 2099-01-02 03:04 UTC.");
        typed.put("site-start", "soon");
        assertThat(alice.submit("/order/hpc", typed).body()).contains("DS8101", "is no time to begin at");
    }

    @Test
    void aFormWithAFaultComesBackWithWhatWasTyped() {
        var sent = alice.submit(
                "/order/hpc", Map.of("project", "biology", "site-title", "mine", "nodes", "99", "time", "2h"));

        assertThat(sent.statusCode()).isEqualTo(422);
        assertThat(sent.body()).contains("DS1106", "at least 1 and at most 16", "value=\"99\"");
    }

    @Test
    void sitesOfOthersLookAsIfTheyWereNotThere() {
        var id = alice.order(1);
        var mallory = service.login("mallory", "biologists", "physicists");

        assertThat(mallory.get("/v1/sites/" + id).statusCode()).isEqualTo(404);
        assertThat(mallory.get("/v1/sites/" + id + "/events").statusCode()).isEqualTo(404);
        assertThat(mallory.delete("/v1/sites/" + id).statusCode()).isEqualTo(404);
        assertThat(mallory.post("/v1/sites/" + id + "/confirm", "{}").statusCode())
                .isEqualTo(404);
        assertThat(mallory.page("/sites/" + id).statusCode()).isEqualTo(404);
        assertThat(json(mallory.get("/v1/sites?project=biology")).path("sites").toString())
                .doesNotContain(id);
        assertThat(mallory.get("/v1/sites/aaaaaaaaaaaaaaaaaaaaaaaaaa").statusCode())
                .isEqualTo(404);
    }

    @Test
    void eventsEndWithTheSession() throws Exception {
        var dora = service.login("dora", "biologists");
        var id = dora.order(1);
        dora.await(id, "planned");
        try (var lines = service.client()
                .send(dora.request("/v1/sites/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                .body()) {
            var line = lines.iterator();
            assertThat(line.next()).startsWith("retry:");

            assertThat(dora.submit("/logout", Map.of()).statusCode()).isEqualTo(303);

            // It comes to its end, or this test hangs.
            line.forEachRemaining(each -> assertThat(each).isNotEqualTo("event: end"));
        }
        assertThat(dora.get("/v1/sites/" + id + "/events").statusCode()).isEqualTo(401);
    }

    @Test
    void managersAndAdministratorsSeeAllSitesOfTheirProjects() {
        var id = alice.order(1);

        assertThat(service.login("hannah", "heads").get("/v1/sites/" + id).statusCode())
                .isEqualTo(200);
        assertThat(service.login("root", "admins").get("/v1/sites/" + id).statusCode())
                .isEqualTo(200);
    }

    @Test
    void auditIsForManagers() {
        alice.order(1);

        var refused = alice.get("/v1/audit?project=biology");
        assertThat(refused.statusCode()).isEqualTo(403);
        var audit = json(service.login("hannah", "heads").get("/v1/audit?project=biology"));
        assertThat(audit.path("entries").toString()).contains("\"action\":\"plan\"", "127.0.0.1");
    }

    @Test
    void whoIsNoMemberOrdersNothing() {
        var bob = service.login("bob", "physicists");

        assertThat(bob.post("/v1/sites", "{\"project\": \"biology\", \"template\": \"hpc\"}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(alice.post("/v1/sites", "{\"project\": \"biology\", \"template\": \"secret\"}")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void whatDoesNotFitIsAConflictWithTheNumbers() {
        var cost = json(
                alice.post("/v1/catalogue/hpc/cost", "{\"project\": \"biology\", \"parameters\": {\"nodes\": \"9\"}}"));
        assertThat(cost.path("fits").asBoolean()).isFalse();

        var id = alice.order(9);
        alice.await(id, "planned");
        var refused = alice.post("/v1/sites/" + id + "/confirm", "{\"waits\": true}");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(json(refused).path("detail").asString()).contains("of 4 are used, and this asks for 9.");
    }

    @Test
    void theSameOrderWithTheSameKeyIsOneOrder() {
        var body = "{\"project\": \"biology\", \"template\": \"hpc\"}";
        var first = alice.change("/v1/sites").header("Idempotency-Key", "one").POST(text(body));
        var again = alice.change("/v1/sites").header("Idempotency-Key", "one").POST(text(body));
        var other = alice.change("/v1/sites")
                .header("Idempotency-Key", "one")
                .POST(text("{\"project\": \"biology\", \"template\": \"hpc\", \"title\": \"another\"}"));

        var id = json(service.send(first.build())).path("id").asString();
        assertThat(json(service.send(again.build())).path("id").asString()).isEqualTo(id);
        assertThat(service.send(other.build()).statusCode()).isEqualTo(409);
    }

    @Test
    void anOldETagDecidesNothing() {
        var id = alice.order(1);
        alice.await(id, "planned");

        var old = service.send(alice.change("/v1/sites/" + id + "/confirm")
                .header("If-Match", "\"1\"")
                .POST(text("{}"))
                .build());

        assertThat(old.statusCode()).isEqualTo(412);
    }

    @Test
    void listsHavePages() {
        alice.order(1);
        alice.order(1);

        var first = json(alice.get("/v1/sites?project=biology&limit=1"));
        var next = json(alice.get(
                "/v1/sites?project=biology&limit=1&before=" + first.path("next").asString()));

        assertThat(first.path("sites").size()).isEqualTo(1);
        assertThat(next.path("sites").path(0).path("id").asString())
                .isNotEqualTo(first.path("sites").path(0).path("id").asString());
    }

    @Test
    void aStreamGoesOnAfterTheLastEvent() {
        var id = alice.order(1);
        alice.await(id, "planned");

        try (var lines = service.client()
                .send(
                        alice.request("/v1/sites/" + id + "/events")
                                .header("Last-Event-ID", "1")
                                .build(),
                        HttpResponse.BodyHandlers.ofLines())
                .body()) {
            assertThat(lines.filter(line -> line.startsWith("id:")).findFirst()).contains("id: 2");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void everyAnswerHasStrictHeaders() {
        var headers = alice.page("/").headers();

        assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(headers.firstValue("Server")).isEmpty();
    }

    @Test
    void whoIsNotLoggedInGetsAProblemOrTheWayToLogIn() {
        var program = service.send(
                HttpRequest.newBuilder(service.at("/v1/sites?project=biology")).build());
        var person = service.send(HttpRequest.newBuilder(service.at("/sites/x"))
                .header("Accept", "text/html")
                .build());

        assertThat(program.statusCode()).isEqualTo(401);
        assertThat(json(program).path("code").asString()).isEqualTo("DS8102");
        assertThat(person.statusCode()).isEqualTo(303);
        assertThat(person.headers().firstValue("Location")).contains("/login?to=%2Fsites%2Fx");
    }

    @Test
    void whatCannotBeReadIsAProblem() {
        assertThat(alice.post("/v1/sites", "{").statusCode()).isEqualTo(400);
        assertThat(alice.post("/v1/sites", "{\"projekt\": \"biology\"}").statusCode())
                .isEqualTo(400);
        assertThat(alice.post("/v1/sites", "null").statusCode()).isEqualTo(400);
        assertThat(alice.post("/v1/sites", "{}").statusCode()).isEqualTo(400);
        assertThat(alice.get("/v1/sites?project=%FF").statusCode()).isIn(400, 403);
        assertThat(alice.get("/v1/nothing").statusCode()).isEqualTo(404);
        assertThat(alice.delete("/v1/catalogue").statusCode()).isEqualTo(400);
        assertThat(alice.get("/v1/catalogue/..%2F..%2Fetc/picture").statusCode())
                .isIn(400, 404);
        // Asked before it is sent: the service reads none of it, and a client that goes on writing may miss the answer.
        var large = alice.change("/v1/sites").expectContinue(true).POST(text("x".repeat(2_000_000)));
        assertThat(service.send(large.build()).statusCode()).isIn(400, 413);
    }

    @Test
    void mailsAreSwitchedOffAndOnByTheOneWhoGetsThem() {
        var carol = service.login("carol@example.org", "biologists");
        assertThat(carol.page("/").body()).contains("You get mail at carol@example.org", "Send me no more");

        assertThat(carol.submit("/mail", Map.of("wanted", "false")).statusCode())
                .isEqualTo(303);

        assertThat(carol.page("/").body()).contains("You get no mail about your sites.", "Send me mail");
        assertThat(carol.get("/v1/mail").body()).contains("\"address\":\"carol@example.org\"", "\"wanted\":false");
        var on = service.send(
                carol.change("/v1/mail").PUT(text("{\"wanted\": true}")).build());
        assertThat(on.body()).contains("\"wanted\":true");
        assertThat(service.send(carol.change("/v1/mail").PUT(text("{}")).build())
                        .statusCode())
                .isEqualTo(400);
        assertThat(alice.page("/").body()).contains("tells no address of yours that it has verified");
    }

    @Test
    void mailGoesToAnotherMachineWithTlsOnly(@TempDir Path other) throws IOException {
        var file = other.resolve("service.yaml");
        Files.writeString(file, """
                projects: {lab: {members: {users: [lab]}}}
                mail: {smtp: smtp.example.org, security: none, from: deepsite@example.org}
                """);

        assertThatThrownBy(() -> ServiceOnFake.start(file))
                .hasMessageContaining("Mails without TLS can be read and changed on their way");
    }

    @Test
    void prometheusAsksElsewhere() {
        alice.order(1);

        var metrics = service.send(HttpRequest.newBuilder(service.metrics()).build());

        assertThat(metrics.body())
                .contains(
                        "deepsite_sites{project=\"biology\",state=\"",
                        "deepsite_runs{status=\"",
                        "jvm_memory_used_bytes")
                .contains("deepsite_http_answers_total{status=\"2xx\"}")
                .doesNotContain("alice");
        assertThat(alice.get("/metrics").statusCode()).isEqualTo(404);
    }

    @Test
    void programsAskHowToLogInAndAsWhomTheyDid() {
        var ways = service.send(HttpRequest.newBuilder(service.at("/v1/login")).build());

        assertThat(ways.statusCode()).isEqualTo(200);
        assertThat(json(ways).toString()).isEqualTo("{\"testLogin\":true}");
        assertThat(json(alice.get("/v1/me")).toString())
                .isEqualTo(
                        "{\"name\":\"alice\",\"issuer\":\"test\",\"subject\":\"alice\",\"groups\":[\"biologists\"]}");
        assertThat(service.send(HttpRequest.newBuilder(service.at("/v1/me")).build())
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void healthAndStyleAreOpen() {
        for (var path : new String[] {"/health/live", "/health/ready", "/static/style.css", "/static/htmx.js"}) {
            assertThat(service.send(HttpRequest.newBuilder(service.at(path)).build())
                            .statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
    }

    @Test
    void anAddressOfAllInterfacesNeedsTheOneThatBrowsersSee(@TempDir Path other) throws IOException {
        var file = other.resolve("service.yaml");
        Files.writeString(file, "listen: 0.0.0.0:0\nprojects: {lab: {members: {users: [lab]}}}\n");

        assertThatThrownBy(() -> ServiceOnFake.start(file))
                .hasMessageContaining("browsers return from a login to one of them");
    }

    @Test
    void whatItKeepsLiesInTheFolderOfTheSettings(@TempDir Path other) throws IOException {
        var file = other.resolve("service.yaml");
        var kept = other.resolve("kept");
        Files.createDirectory(other.resolve("catalogue"));
        Files.writeString(
                file, "listen: 127.0.0.1:0\nfolder: " + kept + "\nprojects: {lab: {members: {users: [lab]}}}\n");

        ServiceOnFake.start(file).close();

        assertThat(kept).isNotEmptyDirectory();
        assertThat(other.resolve(".deepsite")).doesNotExist();
    }

    private static HttpRequest.BodyPublisher text(String body) {
        return HttpRequest.BodyPublishers.ofString(body);
    }
}
