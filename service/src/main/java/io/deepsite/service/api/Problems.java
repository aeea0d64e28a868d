package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticFields;
import io.deepsite.diag.Failure;
import io.deepsite.service.http.Exchange;
import io.deepsite.service.http.ProblemWriter;
import java.io.IOException;

/** Answers of the API that say what is wrong: problem+json (RFC 9457) with deepsite's codes. */
public final class Problems implements ProblemWriter {
    @Override
    public void write(Exchange exchange, Failure failure) throws IOException {
        var first = failure.diagnostics().stream()
                .filter(Diagnostic::isError)
                .findFirst()
                .orElseThrow();
        int status = status(first.code());
        if (first.code() == Code.TOO_MANY_REQUESTS && exchange.isUnsaid("Retry-After")) {
            exchange.header("Retry-After", "60");
        }
        var problem = new Bodies.Problem(
                "urn:deepsite:" + first.code().id(),
                first.code().summary(),
                status,
                first.why(),
                first.code().id(),
                DiagnosticFields.of(failure.diagnostics()).stream()
                        .map(ApiJson::tree)
                        .toList());
        exchange.send(status, "application/problem+json", ApiJson.text(problem));
    }

    /** Of HTTP. */
    public static int status(Code code) {
        return switch (code) {
            case REQUEST -> 400;
            case NOT_LOGGED_IN, TOKEN_REFUSED -> 401;
            case NOT_ALLOWED, WEB_LOGIN_REFUSED, CROSS_SITE -> 403;
            case NOT_FOUND -> 404;
            case QUOTA, NOT_NOW, KEY_REUSED -> 409;
            case CHANGED_MEANWHILE -> 412;
            case TOO_MANY_REQUESTS -> 429;
            case INTERNAL -> 500;
            default ->
                switch (code.exit()) {
                    case INVALID_INPUT -> 422;
                    case LOCK_HELD -> 409;
                    case PROVIDER_UNREACHABLE -> 503;
                    default -> 500;
                };
        };
    }
}
