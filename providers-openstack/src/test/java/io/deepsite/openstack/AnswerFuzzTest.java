package io.deepsite.openstack;

import io.deepsite.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import okhttp3.Headers;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a cloud answers, and what a proxy answers in its place. */
class AnswerFuzzTest {
    private static final List<Function<JsonNode, ?>> READERS = List.of(
            Read::server,
            Read::flavor,
            Read::serverGroup,
            Read::zone,
            Read::image,
            Read::network,
            Read::subnet,
            Read::router,
            Read::port,
            Read::securityGroup,
            Read::floatingIp,
            Read::volume);

    @Test
    void anAnswerIsReadOrIsNone() throws IOException {
        Fuzz.run("openstack", recorded(), text -> {
            var answer = new Answer(
                    404,
                    "Not Found",
                    Headers.of(),
                    text.getBytes(StandardCharsets.UTF_8),
                    "GET https://cloud.example/");
            var node = answer.json();
            for (var one : node.isArray() ? node : List.of(node)) {
                READERS.forEach(reader -> reader.apply(one));
            }
            ServiceCatalogue.of(node);
            answer.refusal().getMessage();
        });
    }

    private static List<String> recorded() throws IOException {
        var texts = new ArrayList<String>();
        try (var files = Files.list(Path.of("src/test/resources/recorded"))) {
            for (var file : files.sorted().toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }
}
