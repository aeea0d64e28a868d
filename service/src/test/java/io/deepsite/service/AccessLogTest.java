package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AccessLogTest {
    @TempDir
    Path folder;

    private static List<JsonNode> lines(ServiceOnFake service) throws IOException {
        // It writes the last lines before it has ended.
        service.close();
        return Files.readAllLines(service.accessLog()).stream()
                .map(JsonMapper.shared()::readTree)
                .toList();
    }

    private static JsonNode of(List<JsonNode> lines, String route) {
        return lines.stream()
                .filter(line -> line.path("route").asString("").equals(route))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lines.toString()));
    }

    @Test
    void aLineForEachRequest() throws IOException {
        var service = new ServiceOnFake(folder);
        var alice = service.login("alice", "biologists");
        var id = alice.order(1);
        var answer = alice.get("/v1/sites/" + id);

        var line = of(lines(service), "/v1/sites/{site}");

        assertThat(line.path("method").asString()).isEqualTo("GET");
        assertThat(line.path("person").asString()).isEqualTo("test#alice");
        assertThat(line.path("from").asString()).isEqualTo("127.0.0.1");
        assertThat(line.path("parameters").path("site").asString()).isEqualTo(id);
        assertThat(line.path("status").asInt()).isEqualTo(200);
        assertThat(line.path("bytes").asInt()).isEqualTo(answer.body().length());
        assertThat(line.path("ms").isNumber()).isTrue();
        assertThat(line.path("at").asString()).endsWith("Z");
        assertThat(answer.headers().firstValue("X-Request-Id"))
                .contains(line.path("request").asString());
    }

    @Test
    void noSecretIsInIt() throws IOException {
        var service = new ServiceOnFake(folder);
        var alice = service.login("alice", "biologists");
        alice.get("/v1/sites?project=biology&before=query-s3cret");
        alice.get("/path-s3cret");
        alice.get("/v1/sites/parameter-s3cret");
        alice.get("/login/callback?code=code-s3cret&state=state-s3cret");
        service.send(HttpRequest.newBuilder(service.at("/v1/sites"))
                .header("Authorization", "Bearer token-s3cret")
                .build());
        service.send(HttpRequest.newBuilder(service.at("/"))
                .method("METHOD-s3cret", HttpRequest.BodyPublishers.noBody())
                .build());
        alice.post("/v1/sites", "{\"title\": \"body-s3cret\"}");

        var lines = lines(service);

        assertThat(lines).hasSizeGreaterThan(8);
        assertThat(lines.toString())
                .doesNotContain("s3cret", alice.cookie().split("=")[1], alice.csrf())
                .contains("\"route\":null", "\"method\":\"other\"");
    }

    @Test
    void otherLinesMayBeJsonToo() {
        var record = new LogRecord(Level.WARNING, "A \"{0}\"\nhas failed");
        record.setParameters(new Object[] {"run"});
        record.setLoggerName("io.deepsite.service");
        record.setThrown(new IllegalStateException("on purpose", new IOException("the disk")));

        var text = new LogLines.Json().format(record);

        assertThat(text.lines()).hasSize(1);
        var line = JsonMapper.shared().readTree(text);
        assertThat(line.path("message").asString()).isEqualTo("A \"run\"\nhas failed");
        assertThat(line.path("level").asString()).isEqualTo("WARNING");
        assertThat(line.path("fault").asString())
                .contains(
                        "IllegalStateException: on purpose",
                        "at io.deepsite",
                        "caused by java.io.IOException: the disk");
    }
}
