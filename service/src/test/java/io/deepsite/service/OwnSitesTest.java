package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A site.yaml, or a template of TOSCA, that users hand in: what it may say, and what is refused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnSitesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String MINE = """
            apiVersion: deepsite/v1
            site: mine
            parameters:
              nodes: {type: integer, default: 1, min: 1, max: 3}
              image: {type: string, default: debian/12}
            machines:
              node: {image: "${image}", cpus: 2, count: "${nodes}"}
            """;
    private static final String TOSCA = """
            tosca_definitions_version: tosca_simple_yaml_1_0
            topology_template:
              inputs:
                admin_password: {type: string, default: s3cret}
              node_templates:
                server:
                  type: tosca.nodes.indigo.Compute
                  capabilities:
                    host: {properties: {num_cpus: 2, mem_size: 2 GB}}
                script:
                  type: tosca.nodes.SoftwareComponent
                  interfaces: {Standard: {create: "/etc/passwd"}}
            """;

    @TempDir
    static Path folder;

    private ServiceOnFake service;
    private ServiceOnFake.Browser hannah;

    @BeforeAll
    void start() {
        service = new ServiceOnFake(folder);
        hannah = service.login("hannah", "heads");
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JSON.readTree(answer.body());
    }

    private static String order(String yaml) {
        return JSON.writeValueAsString(Map.of("project", "biology", "siteYaml", yaml, "title", "mine"));
    }

    private HttpResponse<String> ordered(String yaml) {
        return hannah.post("/v1/sites", order(yaml));
    }

    /** The first diagnostic that is about this place, as code and line. */
    private static String fault(HttpResponse<String> answer, String path) {
        assertThat(answer.statusCode()).as(answer.body()).isIn(409, 422);
        for (var fault : json(answer).path("diagnostics")) {
            if (fault.path("where").path("path").asString("").equals(path)) {
                return fault.path("code").asString() + " "
                        + fault.path("where").path("line").asInt();
            }
        }
        return answer.body();
    }

    @Test
    void isOrderedPlannedBuiltAndDeletedLikeATemplate() {
        var answer = ordered(MINE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        var id = json(answer).path("id").asString();
        hannah.await(id, "planned");
        assertThat(hannah.site(id).path("template").isMissingNode()).isTrue();
        hannah.post("/v1/sites/" + id + "/confirm", "{}");
        hannah.await(id, "ready");
        // The lease is the administrator's.
        assertThat(hannah.site(id).path("endsAt").asString()).isNotEmpty();

        var other = hannah.post("/v1/sites/" + id + "/resize", "{\"parameters\": {\"image\": \"private/snapshot\"}}");
        assertThat(fault(other, "machines.node.image")).isEqualTo("DS8111 7");
        assertThat(hannah.post("/v1/sites/" + id + "/resize", "{\"parameters\": {\"nodes\": \"2\"}}")
                        .statusCode())
                .isEqualTo(202);
        hannah.await(id, "planned");

        hannah.delete("/v1/sites/" + id);
        hannah.await(id, "deleted");
    }

    @Test
    void isForThoseWhomTheAdministratorNames() {
        var alice = service.login("alice", "biologists");
        var root = service.login("root", "admins");

        assertThat(alice.post("/v1/sites", order(MINE)).statusCode()).isEqualTo(403);
        assertThat(alice.page("/own/biology").statusCode()).isEqualTo(403);
        assertThat(alice.page("/").body()).doesNotContain("/own/");
        // Where ownSites is not set nobody may, administrators included.
        assertThat(root.post("/v1/sites", order(MINE).replace("biology", "physics"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(hannah.page("/").body()).contains("/own/biology");
    }

    /** Each line is added to the file, as its ninth one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ssh: {key: /etc/deepsite/key} | ssh.key",
                "ssh: {jump: {host: 10.0.0.1}} | ssh.jump.host",
                "ssh: {patience: 1000d} | ssh.patience",
                "verify: {patience: 1000d} | verify.patience",
                "provider: {fake: {}} | provider",
                "provider: {static: {inventory: /etc/ansible/hosts}} | provider",
                "lease: {duration: 9d} | lease",
                "mirrors: {apt: {debian: 'http://169.254.169.254/latest'}} | mirrors.apt.debian",
                "proxy: {http: 'http://10.0.0.1:3128'} | proxy.http",
                "state: /etc/deepsite/state | state",
            })
    void whatReachesBeyondItsMachinesIsRefusedAtItsPlace(String line, String path) {
        var fault = fault(ordered(MINE + "\n" + line + "\n"), path);

        assertThat(fault).matches(path.equals("state") ? "DS1015 9" : "DS8111 9");
    }

    @Test
    void imagesAndDisksAreThoseThatTheAdministratorAllows() {
        assertThat(fault(
                        ordered(MINE.replace("default: debian/12", "default: somebodys/snapshot")),
                        "machines.node.image"))
                .isEqualTo("DS8111 7");
        assertThat(fault(ordered(MINE.replace("cpus: 2", "disk: 11GiB")), "machines.node.disk"))
                .isEqualTo("DS8111 7");
    }

    @Test
    void whatCanNeverFitIsNotEvenPlanned() {
        var refused = ordered(MINE.replace("max: 3", "max: 10000").replace("default: 1,", "default: 10000,"));

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
        assertThat(json(refused).path("code").asString()).isEqualTo("DS8105");
    }

    /** Texts that would give what follows them another meaning. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a flow that never ends | x: {",
                "a text that never ends | x: \"",
                "a second document | ---",
                "the end of the document | ...",
                "a key of a map | machines:",
                "a merge | <<: *all",
                "a tag | !!python/object:os.system x",
            })
    void noTextSwallowsWhatTheAdministratorAdds(String what, String end) {
        var answer = ordered(MINE + end);

        assertThat(answer.statusCode()).as(what + answer.body()).isIn(400, 422);
    }

    @Test
    void aWholeFileInBracesIsRefused() {
        var answer = ordered("{apiVersion: deepsite/v1, site: mine, machines: {node: {image: debian/12}}}");

        assertThat(answer.statusCode()).isIn(400, 422);
    }

    @Test
    void bombsAndLongTextsAreNotRead() {
        var bomb = new StringBuilder(MINE).append("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            bomb.append("a").append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }

        assertThat(ordered(bomb.toString()).statusCode()).isEqualTo(422);
        assertThat(ordered(MINE + "# " + "x".repeat(70_000)).statusCode()).isEqualTo(400);
        assertThat(ordered(MINE + "x: " + "[".repeat(5000) + "]".repeat(5000)).statusCode())
                .isEqualTo(422);
    }

    @Test
    void onlyOneOfTemplateAndTextIsOrdered() {
        assertThat(hannah.post("/v1/sites", "{\"project\": \"biology\", \"template\": \"hpc\", \"siteYaml\": \"x\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void thePageShowsFaultsAtTheirPlaceAndKeepsWhatWasTyped() {
        assertThat(hannah.page("/own/biology").body())
                .contains("site: mine", "debian/12, debian/13", "lease, provider");

        var sent = hannah.submit(
                "/own/biology",
                Map.of(
                        "site-title",
                        "mine",
                        "site-yaml",
                        MINE.replace("\n", "\r\n") + "ssh: {key: /root/.ssh/id}\r\n"));

        assertThat(sent.statusCode()).isEqualTo(422);
        assertThat(sent.body()).contains("DS8111", "line 8", "ssh.key", "/root/.ssh/id}");
        var well = hannah.submit("/own/biology", Map.of("site-title", "mine", "site-yaml", MINE.replace("\n", "\r\n")));
        assertThat(well.statusCode()).isEqualTo(303);
    }

    private HttpResponse<String> tosca(String text) {
        return hannah.post("/v1/tosca", JSON.writeValueAsString(Map.of("project", "biology", "tosca", text)));
    }

    @Test
    void aTemplateOfToscaBecomesASiteThatCanBeOrdered() {
        var made = json(tosca(TOSCA));

        assertThat(made.path("siteYaml").asString())
                .contains("server: {image: debian/12")
                .doesNotContain("provider", "s3cret");
        assertThat(made.path("extent").asString()).isEqualTo("partly");
        assertThat(made.path("left").toString())
                .contains("Scripts and artifacts of templates are never run", "A password that everybody knows")
                .doesNotContain("s3cret");
        assertThat(ordered(made.path("siteYaml").asString()).statusCode()).isEqualTo(202);
    }

    @Test
    void toscaIsRefusedByNameOrForItsSize() {
        var two = tosca(TOSCA.replace("tosca_simple_yaml_1_0", "tosca_2_0"));
        assertThat(two.statusCode()).isEqualTo(422);
        assertThat(json(two).path("detail").asString()).contains("tosca_2_0");
        assertThat(json(tosca("x: " + "[".repeat(3000) + "]".repeat(3000)))
                        .path("code")
                        .asString())
                .isEqualTo("DS1301");
        assertThat(tosca("just text").statusCode()).isEqualTo(422);
        assertThat(tosca(TOSCA.replace("tosca.nodes.indigo.Compute", "tosca.nodes.Root"))
                        .statusCode())
                .isEqualTo(422);
        var alice = service.login("alice", "biologists");
        assertThat(alice.post("/v1/tosca", "{\"project\": \"biology\", \"tosca\": \"x\"}")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void toscaOnThePageFillsTheForm() {
        var page = hannah.submit("/own/biology/tosca", Map.of("tosca", TOSCA.replace("\n", "\r\n")))
                .body();

        assertThat(page).contains("server: {image: debian/12", "Scripts and artifacts of templates are never run");
    }
}
