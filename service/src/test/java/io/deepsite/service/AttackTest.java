package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What nobody may do to the service, over sockets of this machine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttackTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration HANGS = Duration.ofMinutes(5);
    private static final String NOBODY = "a".repeat(26);

    @TempDir
    static Path folder;

    private ServiceOnFake service;
    private ServiceOnFake.Browser alice;
    private ServiceOnFake.Browser mallory;

    @BeforeAll
    void start() {
        service = new ServiceOnFake(folder);
        alice = service.login("alice", "biologists");
        mallory = service.login("mallory", "biologists");
    }

    @AfterAll
    void stop() {
        service.close();
    }

    /** An operation of the API. */
    record Target(String method, String path) {
        String of(String site) {
            return path.replace("{site}", site)
                    .replace("{share}", NOBODY)
                    .replace("{template}", "hpc")
                    .replace("{secret}", "x");
        }
    }

    static List<Target> operations() {
        try (var text = Objects.requireNonNull(AttackTest.class.getResourceAsStream("api/openapi.json"))) {
            var all = new ArrayList<Target>();
            JSON.readTree(text.readAllBytes())
                    .path("paths")
                    .properties()
                    .forEach(path -> path.getValue()
                            .propertyNames()
                            .forEach(method -> all.add(new Target(method.toUpperCase(Locale.ROOT), path.getKey()))));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Target> changes() {
        return operations().stream()
                .filter(operation -> !operation.method().equals("GET"))
                .toList();
    }

    static List<Target> ofSites() {
        return operations().stream()
                .filter(operation -> operation.path().contains("{site}"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aPageOfAnotherSiteChangesNothing(Target target) {
        var body = HttpRequest.BodyPublishers.ofString("{}");
        var path = target.of(NOBODY);
        var foreign = service.send(alice.change(path)
                .setHeader("Origin", "https://evil.example")
                .method(target.method(), body)
                .build());
        var withoutToken = service.send(alice.request(path)
                .header("Origin", service.at("/").toString().replaceAll("/$", ""))
                .header("Content-Type", "application/json")
                .method(target.method(), body)
                .build());

        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(withoutToken.statusCode()).isEqualTo(403);
        assertThat(JSON.readTree(foreign.body()).path("code").asString()).isEqualTo("DS8123");
    }

    @ParameterizedTest
    @MethodSource("ofSites")
    void theIdOfSomebodyElsesSiteAnswersLikeOneThatIsNot(Target target) {
        var id = alice.order(1);

        var theirs = asked(target, target.of(id));
        var none = asked(target, target.of(NOBODY));

        assertThat(theirs.statusCode()).isEqualTo(none.statusCode()).isIn(400, 404);
        assertThat(theirs.body().replace(id, NOBODY)).isEqualTo(none.body());
    }

    private HttpResponse<String> asked(Target target, String path) {
        return service.send(mallory.change(path)
                .method(target.method(), HttpRequest.BodyPublishers.ofString("{}"))
                .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"})
    void aLoginSendsNobodyElsewhere(String to) {
        var sent = service.send(HttpRequest.newBuilder(service.at("/login/test"))
                .header("Origin", service.at("/").toString().replaceAll("/$", ""))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        ServiceOnFake.form(Map.of("name", "alice", "groups", "biologists", "to", to))))
                .build());

        assertThat(sent.headers().firstValue("Location"))
                .isIn(Optional.of("/"), Optional.of(service.at("/").toString()));
    }

    /** What the service says to these bytes, until it ends the connection. */
    private String talk(String... parts) {
        var at = service.at("/");
        try (var socket = new Socket(at.getHost(), at.getPort())) {
            socket.setSoTimeout((int) HANGS.toMillis());
            var out = socket.getOutputStream();
            try {
                for (var part : parts) {
                    out.write(part.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                }
            } catch (IOException e) {
                // It has heard enough.
            }
            var said = new StringBuilder();
            try {
                var in = socket.getInputStream();
                for (int read = in.read(); read >= 0; read = in.read()) {
                    said.append((char) read);
                }
            } catch (SocketException e) {
                // It ended the connection while bytes were on their way.
            }
            return said.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long answers(String said) {
        return said.split("HTTP/1\\.1 ", -1).length - 1;
    }

    /** Two parties that disagree on where a request ends let one hide another. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a length and chunks | Content-Length: 4~Transfer-Encoding: chunked~~0~~",
                "two lengths | Content-Length: 0~Content-Length: 40~~",
                "two lengths in one | Content-Length: 0, 40~~",
                "a length with a sign | Content-Length: +0~~",
                "a negative length | Content-Length: -1~~",
                "a length in hexadecimal | Content-Length: 0x0~~",
                "another coding | Transfer-Encoding: xchunked~~0~~",
                "a coding after chunks | Transfer-Encoding: chunked, identity~~0~~",
                "chunks twice | Transfer-Encoding: chunked~Transfer-Encoding: chunked~~0~~",
                "a blank before the colon | Content-Length : 0~~",
                "a header over two lines | X: a~ Content-Length: 40~~",
                "two hosts | Host: other.example~~",
                "no length of a chunk | Transfer-Encoding: chunked~~zz~~",
            })
    void noRequestHidesAnother(String what, String headers) {
        var said = talk("POST /health/live HTTP/1.1\r\nHost: a\r\n" + headers.replace("~", "\r\n")
                + "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        assertThat(answers(said)).as(what + ": " + said).isEqualTo(1);
        assertThat(said).matches("(?s)HTTP/1\\.1 (400|403|501) .*").doesNotContain("well\n");
    }

    @Test
    void headersWithoutEndAreCutOff() {
        var parts = new String[64];
        Arrays.fill(parts, "X-Long: " + "x".repeat(1000) + "\r\n");
        parts[0] = "GET /health/live HTTP/1.1\r\nHost: a\r\n";

        assertThat(talk(parts)).startsWith("HTTP/1.1 431 ");
        assertThat(talk("GET /" + "x".repeat(20_000))).startsWith("HTTP/1.1 414 ");
    }

    private String headers(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: " + alice.cookie()
                + "\r\nOrigin: "
                + service.at("/").toString().replaceAll("/$", "") + "\r\nX-CSRF-Token: " + alice.csrf()
                + "\r\nContent-Type: application/json\r\n";
    }

    @Test
    void bodiesWithoutEndAreCutOff() {
        var chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
        var parts = new String[64];
        Arrays.fill(parts, chunk);
        parts[0] = headers("/v1/sites") + "Transfer-Encoding: chunked\r\n\r\n";

        assertThat(talk(parts)).matches("(?s)HTTP/1\\.1 (400|413) .*");
        assertThat(talk(headers("/v1/sites") + "Content-Length: 9999999999\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ")
                .contains("the request is larger than 1024 KiB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1}\nssh: {key: /etc/deepsite/key",
                "${time}",
                "{{ lookup('pipe', 'id') }}",
                "{% include '/etc/passwd' %}",
                "!!python/object:os.system [id]"
            })
    void aParameterCarriesNeitherYamlNorATemplate(String value) {
        var body = JSON.writeValueAsString(
                Map.of("project", "biology", "template", "hpc", "parameters", Map.of("nodes", value)));

        assertThat(alice.post("/v1/sites", body).statusCode()).isEqualTo(422);
        assertThat(alice.post(
                                "/v1/catalogue/hpc/cost",
                                body.replace(",\"template\":\"hpc\"", "").replace("\"template\":\"hpc\",", ""))
                        .statusCode())
                .isEqualTo(422);
        var other = JSON.writeValueAsString(
                Map.of("project", "biology", "template", "hpc", "parameters", Map.of(value, "1")));
        assertThat(alice.post("/v1/sites", other).statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../hpc", "..%2Fhpc", "/etc", "hpc/../secret", "HPC", "hpc\u0000", "."})
    void noNameOfATemplateLeadsOutOfTheCatalogue(String name) {
        var body = JSON.writeValueAsString(Map.of("project", "biology", "template", name));

        assertThat(alice.post("/v1/sites", body).statusCode()).isEqualTo(404);
    }

    /** The text of a user is data for whatever runs on this machine. */
    @Test
    void whatAUserWritesIsNeverEvaluatedHere() throws IOException {
        var marker = "{{ lookup(*['pipe']+['touch " + folder.resolve("evaluated") + "']) }}";
        var hannah = service.login("hannah", "heads");
        var yaml = """
                apiVersion: deepsite/v1
                site: mine
                machines: {node: {image: debian/12}}
                users:
                  eve: {uid: 3000, name: "%s"}
                """.formatted(marker);
        var answer = hannah.post("/v1/sites", JSON.writeValueAsString(Map.of("project", "biology", "siteYaml", yaml)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        var id = JSON.readTree(answer.body()).path("id").asString();
        hannah.await(id, "planned");
        hannah.post("/v1/sites/" + id + "/confirm", "{}");
        hannah.await(id, "ready");

        try (var files = Files.walk(folder.resolve(".deepsite/service/sites").resolve(id))) {
            var holding = files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/bundle-"))
                    .filter(file -> text(file).contains("lookup(*["))
                    .toList();
            // Ansible evaluates what is in plays, variables and tasks; a contract is data for the host.
            assertThat(holding).isNotEmpty().allMatch(file -> file.toString().contains("/contracts/"));
        }
        assertThat(folder.resolve("evaluated")).doesNotExist();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
