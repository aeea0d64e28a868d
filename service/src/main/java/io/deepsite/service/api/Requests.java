package io.deepsite.service.api;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.http.Exchange;
import org.jspecify.annotations.Nullable;

/** What operations take from requests. Each fails with REQUEST. */
final class Requests {
    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 500;

    static final Operation.Query PROJECT = new Operation.Query("project", "string", true, "Name of the project.");
    static final Operation.Query LIMIT =
            new Operation.Query("limit", "integer", false, "How many at most; " + PAGE + " by default.");

    private Requests() {}

    /** Of an ETag. */
    static long version(String etag) {
        return number(etag.replace("\"", ""));
    }

    static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Failure(Diagnostic.error(Code.REQUEST, "\"" + text + "\" is no number.", "Send a number."));
        }
        return Long.parseLong(text);
    }

    static int limit(Exchange exchange) {
        return Math.clamp(exchange.query("limit").map(Requests::number).orElse((long) PAGE), 1, LARGEST_PAGE);
    }

    static String required(Exchange exchange, String query) {
        return exchange.query(query)
                .orElseThrow(() -> new Failure(
                        Diagnostic.error(Code.REQUEST, "The query has no " + query + ".", "Add ?" + query + "=NAME.")));
    }

    /** JSON may leave out what the operation needs. */
    static <T> T given(@Nullable T value, String key) {
        if (value == null) {
            throw new Failure(Diagnostic.error(Code.REQUEST, "The body has no " + key + ".", "Add it."));
        }
        return value;
    }
}
