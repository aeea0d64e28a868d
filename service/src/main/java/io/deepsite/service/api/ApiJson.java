package io.deepsite.service.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.http.Exchange;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON of requests and answers. */
final class ApiJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .changeDefaultPropertyInclusion(old -> old.withValueInclusion(JsonInclude.Include.NON_ABSENT))
            .build();

    private ApiJson() {}

    /** @throws Failure REQUEST */
    static <T> T read(Exchange exchange, Class<T> type) throws IOException {
        if (!exchange.sent("Content-Type").orElse("").startsWith("application/json")) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST, "The body is no JSON: its Content-Type is not application/json.", "Send JSON."));
        }
        var body = exchange.body();
        try {
            var value = JSON.readValue(body.isEmpty() ? "{}" : body, type);
            if (value == null) {
                throw new Failure(Diagnostic.error(Code.REQUEST, "The body is null.", "Send an object."));
            }
            return value;
        } catch (JacksonException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.REQUEST,
                            "The body is not what this operation takes: " + e.getOriginalMessage() + ".",
                            "Look at /v1/openapi.json."),
                    e);
        }
    }

    static JsonNode tree(String json) {
        return JSON.readTree(json);
    }

    static JsonNode tree(Object value) {
        return JSON.valueToTree(value);
    }

    static String text(Object value) {
        return JSON.writeValueAsString(value) + "\n";
    }

    static void send(Exchange exchange, int status, Object value) throws IOException {
        exchange.send(status, "application/json", text(value));
    }
}
