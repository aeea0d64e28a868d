package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that a page sends in a form, as browsers do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UploadTest {
    private static final String OWN = "/own/biology";
    private static final String MINE = """
            apiVersion: deepsite/v1
            site: mine
            # Zürich
            machines:
              node: {image: debian/12, cpus: 2}
            """;
    private static final String TYPED = MINE.replace("node:", "typed:");

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

    /** A body of multipart/form-data. */
    private static final class Form {
        private static final String BOUNDARY = "----browser4711";
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        private Form part(String head, byte[] content) {
            body.writeBytes(("--" + BOUNDARY + "\r\nContent-Disposition: form-data; " + head + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            body.writeBytes(content);
            body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
            return this;
        }

        Form field(String name, String value) {
            return part("name=\"" + name + "\"", value.getBytes(StandardCharsets.UTF_8));
        }

        Form file(String name, String file, byte[] content) {
            return part(
                    "name=\"" + name + "\"; filename=\"" + file + "\"\r\nContent-Type: application/octet-stream",
                    content);
        }

        Form file(String file, String content) {
            return file("site-file", file, content.getBytes(StandardCharsets.UTF_8));
        }

        byte[] bytes() {
            var all = new ByteArrayOutputStream();
            all.writeBytes(body.toByteArray());
            all.writeBytes(("--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
            return all.toByteArray();
        }
    }

    private Form form() {
        return new Form()
                .field("csrf", hannah.csrf())
                .field("site-title", "mine")
                .field("site-yaml", TYPED);
    }

    private HttpRequest.Builder request(String path, byte[] body) {
        return hannah.request(path)
                .header("Accept", "text/html")
                .header("Origin", service.at("/").toString().replaceAll("/$", ""))
                .header("Content-Type", "multipart/form-data; boundary=" + Form.BOUNDARY)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    }

    private HttpResponse<String> sent(Form form) {
        return service.send(request(OWN, form.bytes()).build());
    }

    private String sites() {
        return hannah.get("/v1/sites?project=biology").body();
    }

    private void isRefused(HttpResponse<String> answer, int status, String... words) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(words);
    }

    /** The machines of the site that an answer leads to. */
    private String ordered(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        var id = answer.headers().firstValue("Location").orElseThrow().replaceAll(".*/", "");
        hannah.await(id, "planned");
        return hannah.get("/v1/sites/" + id).body();
    }

    @Test
    void aFileCountsInsteadOfTheText() {
        assertThat(ordered(sent(form().file("mine.yaml", MINE.replace("\n", "\r\n")))))
                .contains("instance/node")
                .doesNotContain("instance/typed");
    }

    @Test
    void withoutAFileTheTextCounts() {
        assertThat(ordered(sent(form()))).contains("instance/typed");
        // What browsers send of a file that nobody chose.
        assertThat(ordered(sent(form().file("", "")))).contains("instance/typed");
    }

    @Test
    void faultsOfAFileAreShownWithItsText() {
        isRefused(
                sent(form().file("mine.yaml", MINE + "ssh: {key: /root/.ssh/id}\r\n")),
                422,
                "DS8111",
                "line 6",
                "# Zürich",
                "/root/.ssh/id}");
    }

    @Test
    void aTemplateOfToscaMayBeAFile() {
        var tosca = """
                tosca_definitions_version: tosca_simple_yaml_1_0
                topology_template:
                  node_templates:
                    server: {type: tosca.nodes.indigo.Compute}
                """;

        var answer = service.send(request(
                        OWN + "/tosca",
                        form().field("tosca", "")
                                .file("tosca-file", "template.yaml", tosca.getBytes(StandardCharsets.UTF_8))
                                .bytes())
                .build());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("server: {image: debian/12");
    }

    @Test
    void aFileThatIsTooLargeIsRefused() {
        var before = sites();

        isRefused(sent(form().file("large.yaml", MINE + "#".repeat(300 * 1024))), 400, "DS8101", "larger than 256 KiB");

        assertThat(sites()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "ISO-8859-1"})
    void anotherEncodingIsRefused(String charset) {
        var before = sites();

        isRefused(
                sent(form().file("site-file", "mine.yaml", MINE.getBytes(Charset.forName(charset)))),
                400,
                "The file mine.yaml is not UTF-8 text");

        assertThat(sites()).isEqualTo(before);
    }

    @Test
    void severalFilesAreRefused() {
        var before = sites();

        isRefused(sent(form().file("a.yaml", MINE).file("b.yaml", MINE)), 400, "Several files");

        assertThat(sites()).isEqualTo(before);
    }

    @Test
    void aFormOfThousandsOfPartsIsRefused() {
        var form = form();
        IntStream.range(0, 5000).forEach(n -> form.field("f" + n, ""));

        isRefused(sent(form), 400, "DS8101");
    }

    @Test
    void whatIsNoFormIsRefused() {
        isRefused(
                service.send(request(OWN, "no parts".getBytes(StandardCharsets.UTF_8))
                        .build()),
                400,
                "DS8101");
        isRefused(service.send(request(OWN, new byte[0]).build()), 400, "DS8101");
        isRefused(
                service.send(request(OWN, form().bytes())
                        .setHeader("Content-Type", "multipart/form-data")
                        .build()),
                400,
                "DS8101");
    }

    @Test
    void withoutTheTokenOfTheSessionNothingIsOrdered() {
        var before = sites();
        var other = service.login("mallory", "heads");

        isRefused(sent(new Form().field("site-title", "mine").file("mine.yaml", MINE)), 403, "lacks the token");
        isRefused(sent(new Form().field("csrf", other.csrf()).file("mine.yaml", MINE)), 403, "not that of the session");
        isRefused(
                service.send(request(OWN, form().bytes())
                        .setHeader("Origin", "https://evil.example")
                        .build()),
                403,
                "DS8123");

        assertThat(sites()).isEqualTo(before);
    }
}
