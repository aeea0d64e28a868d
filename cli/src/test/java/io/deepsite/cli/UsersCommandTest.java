package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code deepsite users import}: the file of users, the register in the state, and what is said of it. */
class UsersCommandTest {
    @TempDir
    private Path folder;

    private FaultStory story;

    @BeforeEach
    void site() throws Exception {
        story = UserFaults.site(new FaultStory(folder));
    }

    @AfterEach
    void close() throws Exception {
        story.close();
    }

    @Test
    void writesTheFileAndSaysWhatChanged() {
        story.write("out/people.csv", "login,id,name,groups\nalice,1,Alice Example,/physics;sudo\nno,2,,\n");

        assertThat(imported()).isEqualTo("""
                  + alice: uid 2001, groups physics, 0 keys
                  + no: uid 2002, 0 keys
                  ! group sudo: left out, hosts have a group sudo of their own
                2 added, 0 changed, 0 locked, 0 unlocked, 0 skipped.
                users.yaml was written. Review and commit it; `deepsite apply` brings it to the hosts.
                """);
        assertThat(story.read("users.yaml")).endsWith("""
                users:
                  alice:
                    uid: 2001
                    name: "Alice Example"
                    groups: [physics]
                  "no":
                    uid: 2002
                """);
        story.does("validate", "site.yaml");
        assertThat(imported()).endsWith("users.yaml is up to date.\n");
    }

    @Test
    void whoLeftStaysInTheFileLockedAndNobodyGetsTheUid() {
        imported();
        story.write("out/people.csv", "login,id\nbob,2\ncarol,3\ndan,4\n");

        assertThat(imported()).contains("+ dan: uid 2004", "locked alice: is not there any more");
        assertThat(story.read("users.yaml")).contains("  alice:\n    uid: 2001\n    locked: true\n");

        story.write("users.yaml", "users: {}\n").write("out/people.csv", "login,id\neve,5\n");
        assertThat(imported()).contains("+ eve: uid 2005");
    }

    @Test
    void aDryRunWritesNothing() {
        var json = json("--dry-run");

        assertThat(json.path("added")).hasSize(3);
        assertThat(json.path("dryRun").asBoolean()).isTrue();
        assertThat(story.read("users.yaml")).isEqualTo("users: {}\n");
        story.does("state", "show", "site.yaml");
        assertThat(story.stdout()).isEqualTo("{}\n");
    }

    @Test
    void jsonNamesEveryChange() {
        imported();
        story.write("out/people.csv", "login,id,name\nalice,1,Alice\nbob,2,\nroot,9,\n");

        var json = json();

        assertThat(users(json, "changed")).containsExactly("alice");
        assertThat(users(json, "locked")).containsExactly("carol");
        assertThat(users(json, "skipped")).containsExactly("root");
        assertThat(users(json, "unlocked")).isEmpty();
    }

    @Test
    void readsScimWithATokenThatNoProcessListShows() throws Exception {
        var asked = new ArrayList<String>();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/scim/Users", exchange -> {
            asked.add(exchange.getRequestHeaders().getFirst("Authorization"));
            var body =
                    "{\"totalResults\": 1, \"Resources\": [{\"id\": \"1\", \"userName\": \"alice\", \"active\": true}]}"
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            var address = "http://127.0.0.1:" + server.getAddress().getPort() + "/scim";
            story.answering("a-token\n");

            story.does("users", "import", "--scim", address, "--token-file", "-", "--site", "site.yaml");

            assertThat(asked).containsExactly("Bearer a-token");
            assertThat(story.stdout()).contains("+ alice: uid 2001");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void readsStdinInTheFormatThatIsNamed() {
        story.answering("[{\"sub\": \"1\", \"preferred_username\": \"alice\"}]");

        story.does("users", "import", "--from", "-", "--format", "json", "--site", "site.yaml");

        assertThat(story.stdout()).contains("+ alice: uid 2001");
    }

    @Test
    void refusesOptionsThatDoNotFit() {
        assertThat(story.attempt("users", "import", "--scim", "https://iam.example.org/scim", "--site", "site.yaml")
                        .stderr())
                .contains("DS8001", "--scim needs --token-file");
        assertThat(attempt("--first-uid", "0").stderr()).contains("DS8001", "--first-uid is between");
        assertThat(attempt("--token-file", "token").stderr()).contains("DS8001", "are for --scim");
    }

    private FaultStory.Said attempt(String... more) {
        var words = new ArrayList<>(List.of("users", "import", "--from", "out/people.csv", "--site", "site.yaml"));
        words.addAll(List.of(more));
        return story.attempt(words.toArray(String[]::new));
    }

    private String imported() {
        var said = attempt();
        assertThat(said.exit()).as(said.stderr()).isZero();
        return story.normal(story.stdout());
    }

    private JsonNode json(String... more) {
        var words = new ArrayList<>(List.of(more));
        words.add("--json");
        var said = attempt(words.toArray(String[]::new));
        assertThat(said.exit()).as(said.stderr()).isZero();
        return new JsonMapper().readTree(story.stdout());
    }

    private static List<String> users(JsonNode json, String kind) {
        return json.path(kind)
                .valueStream()
                .map(one -> one.path("user").asString())
                .toList();
    }
}
