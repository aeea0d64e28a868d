package io.deepsite.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.util.Optional;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ServiceClientTest {
    private final MockWebServer server = new MockWebServer();

    @BeforeEach
    void start() throws IOException {
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JsonNode get(Credentials credentials) {
        var service = ServiceAddress.parse("http://127.0.0.1:" + server.getPort());
        try (var client = new ServiceClient(service, Optional.empty(), credentials)) {
            return client.get("/v1/me");
        }
    }

    private static MockResponse refusal(int status, String code) {
        return new MockResponse.Builder()
                .code(status)
                .body("{\"diagnostics\":[{\"severity\":\"error\",\"code\":\"" + code
                        + "\",\"summary\":\"what\",\"why\":\"Why.\",\"fix\":\"How.\"}]}")
                .build();
    }

    /** Of a login whose token the service refuses once. */
    private record Renewed(String first, String next) implements Credentials {
        @Override
        public Optional<String> token() {
            return Optional.of(first);
        }

        @Override
        public Optional<String> after(String refused) {
            return Optional.of(next);
        }
    }

    @Test
    void aRefusedTokenIsRenewedOnce() throws InterruptedException {
        server.enqueue(refusal(401, "DS8122"));
        server.enqueue(new MockResponse.Builder().body("{}").build());

        get(new Renewed("old", "new"));

        assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer old");
        assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer new");
        server.enqueue(refusal(401, "DS8122"));
        server.enqueue(refusal(401, "DS8122"));
        assertThatThrownBy(() -> get(new Renewed("old", "new")))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("Why.");
        assertThat(server.getRequestCount()).isEqualTo(4);
    }

    @Test
    void tokensFollowNoRedirect() {
        server.enqueue(new MockResponse.Builder()
                .code(302)
                .setHeader("Location", "http://127.0.0.1:" + server.getPort() + "/elsewhere")
                .build());

        var failure = catchThrowableOfType(Failure.class, () -> get(Credentials.of("token")));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.SERVICE_ANSWER);
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void noControlSequenceOfAServiceReachesATerminal() {
        server.enqueue(new MockResponse.Builder()
                .body("{\"a\\u001b[2J\": [\"b\\u202ec\", 1], \"lines\": \"one\\ntwo\"}")
                .build());

        assertThat(get(Credentials.NONE)).hasToString("{\"a?[2J\":[\"b?c\",1],\"lines\":\"one\\ntwo\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "409, DS8105, INVALID_INPUT",
        "409, DS4110, LOCK_HELD",
        "503, DS2001, PROVIDER_UNREACHABLE",
        "500, DS9999, FAILED"
    })
    void faultsOfTheServiceEndACommandAsThoseOfHere(int status, String code, ExitCode exit) {
        server.enqueue(refusal(status, code));

        var failure = catchThrowableOfType(Failure.class, () -> get(Credentials.NONE));

        assertThat(failure.exit()).isEqualTo(exit);
        assertThat(failure.diagnostics().getFirst().why()).contains("Why.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clusters.example.org",
                "http://clusters.example.org",
                "http://127.0.0.1.example.org",
                "ftp://127.0.0.1",
                "https://user@clusters.example.org",
                "https://clusters.example.org/path",
                "https://clusters.example.org/?a=b",
                "https://",
                "https://a b",
            })
    void addressesThatAreNoneAreRefused(String text) {
        assertThatThrownBy(() -> ServiceAddress.parse(text)).hasMessageContaining("DS8130");
    }

    @Test
    void oneServiceHasOneAddress() {
        assertThat(ServiceAddress.parse("HTTPS://Clusters.example.org/"))
                .hasToString("https://clusters.example.org")
                .isEqualTo(ServiceAddress.parse("https://clusters.example.org"));
        assertThat(ServiceAddress.parse("http://localhost:8440")).hasToString("http://localhost:8440");
        assertThat(ServiceAddress.parse("http://[::1]:8440/")).hasToString("http://[::1]:8440");
    }
}
