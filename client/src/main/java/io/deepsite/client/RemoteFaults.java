package io.deepsite.client;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import io.deepsite.diag.Where;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Diagnostics of a service, as it sends them. */
public final class RemoteFaults {
    private static final int SHOWN = 200;

    private RemoteFaults() {}

    /** Of an array of diagnostics; one that this deepsite does not know keeps its words. */
    public static List<Diagnostic> of(JsonNode diagnostics) {
        return diagnostics.valueStream().map(RemoteFaults::one).toList();
    }

    public static Diagnostic one(JsonNode fault) {
        var commands = new ArrayList<String>();
        fault.path("commands").forEach(command -> commands.add(command.asString("")));
        var code = fault.path("code").asString("");
        var why = fault.path("why").asString("");
        var known = Arrays.stream(Code.values())
                .filter(one -> one.id().equals(code))
                .findFirst();
        return new Diagnostic(
                severity(fault.path("severity").asString("error")),
                known.orElse(Code.SERVICE_ANSWER),
                where(fault.path("where")),
                known.isPresent()
                        ? why
                        : code + " " + fault.path("summary").asString("") + ", which this deepsite does not know: "
                                + why,
                fault.path("fix").asString(""),
                commands);
    }

    private static Diagnostic.Severity severity(String word) {
        return Arrays.stream(Diagnostic.Severity.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElse(Diagnostic.Severity.ERROR);
    }

    private static @Nullable Where where(JsonNode place) {
        return place.isObject()
                ? new Where(
                        PlainText.of(place.path("file").asString("")),
                        place.path("line").asInt(0),
                        place.path("column").asInt(0),
                        1,
                        PlainText.of(place.path("path").asString("")),
                        null)
                : null;
    }

    /** Of an answer that is no success. */
    static Failure of(ServiceAddress service, int status, Optional<JsonNode> problem, String body) {
        var diagnostics = problem.map(one -> of(one.path("diagnostics"))).orElse(List.of());
        if (diagnostics.stream().anyMatch(Diagnostic::isError)) {
            return new Failure(diagnostics);
        }
        if (status == 502 || status == 503 || status == 504) {
            return unreachable(service, "what stands before it answers " + status, null);
        }
        return unknown(service, status, body);
    }

    static Failure unknown(ServiceAddress service, int status, String body) {
        return new Failure(Diagnostic.error(
                Code.SERVICE_ANSWER,
                service + " answers " + status
                        + (body.isBlank()
                                ? "."
                                : ": " + PlainText.of(body.strip().replaceAll("\\s+", " "), SHOWN)),
                "Check that a service of deepsite is there, and of this version."));
    }

    static Failure unreachable(ServiceAddress service, String why, @Nullable Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.SERVICE_UNREACHABLE,
                        service + ": " + why + ".",
                        "Check the address and the network. What the service works on goes on without you."),
                cause);
    }
}
