package io.deepsite.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EventReaderTest {
    private final MockWebServer server = new MockWebServer();
    private final List<Duration> pauses = new ArrayList<>();
    private final Seen seen = new Seen();

    @BeforeEach
    void start() throws IOException {
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Ends with an event "last". */
    private static final class Seen implements EventReader.Listener {
        final List<String> events = new ArrayList<>();
        int quiet;

        @Override
        public boolean happened(JsonNode event) {
            events.add(event.path("event").asString());
            return !event.path("event").asString().equals("last");
        }

        @Override
        public boolean quiet() {
            quiet++;
            return true;
        }
    }

    private void follow(long after) {
        var service = ServiceAddress.parse("http://127.0.0.1:" + server.getPort());
        try (var client = new ServiceClient(service, Optional.empty(), Credentials.of("token"))) {
            new EventReader(client, pauses::add).follow("a-site", after, seen);
        }
    }

    private static MockResponse stream(String text) {
        return new MockResponse.Builder()
                .setHeader("Content-Type", "text/event-stream")
                .body(text)
                .build();
    }

    @Test
    void goesOnAfterTheLastEventWhenItIsCutOff() throws InterruptedException {
        server.enqueue(stream("retry: 2000\n\nid: 8\ndata: {\"event\":\"one\"}\n\nid: 9\ndata: {\"event\""));
        server.enqueue(new MockResponse.Builder().code(502).body("<html>").build());
        server.enqueue(
                stream("id: 9\ndata: {\"event\":\"two\"}\n\n: nothing new\n\nid: 10\ndata: {\"event\":\"last\"}\n\n"));

        follow(7);

        assertThat(seen.events).containsExactly("one", "two", "last");
        assertThat(seen.quiet)
                .as("at each connection, and while nothing happens")
                .isEqualTo(3);
        assertThat(pauses).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2));
        var first = server.takeRequest();
        assertThat(first.getHeaders().get("Last-Event-ID")).isEqualTo("7");
        assertThat(first.getHeaders().get("Authorization")).isEqualTo("Bearer token");
        assertThat(server.takeRequest().getHeaders().get("Last-Event-ID")).isEqualTo("8");
    }

    @Test
    void endsWithTheEventsOfASite() {
        server.enqueue(stream("id: 1\ndata: {\"event\":\"one\"}\n\nevent: end\ndata: {}\n\n"));

        follow(0);

        assertThat(seen.events).containsExactly("one");
    }

    @Test
    void whatTheServiceRefusesIsNotTriedAgain() {
        server.enqueue(new MockResponse.Builder()
                .code(404)
                .setHeader("Content-Type", "application/problem+json")
                .body("{\"diagnostics\":[{\"severity\":\"error\",\"code\":\"DS8104\",\"why\":\"Gone.\",\"fix\":\"\"}]}")
                .build());

        var failure = catchThrowableOfType(Failure.class, () -> follow(0));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.NOT_FOUND);
        assertThat(pauses).isEmpty();
    }

    @Test
    void aServiceThatStaysAwayIsUnreachable() {
        for (int i = 0; i < 60; i++) {
            server.enqueue(new MockResponse.Builder().code(503).build());
        }

        var failure = catchThrowableOfType(Failure.class, () -> follow(0));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.SERVICE_UNREACHABLE);
        assertThat(pauses).hasSize(59);
    }
}
