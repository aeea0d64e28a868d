package io.deepsite.service.api;

import io.deepsite.service.http.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the API: what answers it, and what the description of the API says of it.
 *
 * @param id by which generated clients name it
 * @param queries parameters of the query
 * @param body class of the JSON that it takes
 * @param status of a success
 * @param answer class of the JSON that it gives; empty: it gives something else, or nothing
 */
record Operation(
        String method,
        String path,
        String id,
        String summary,
        List<Query> queries,
        Optional<Class<?>> body,
        int status,
        Optional<Class<?>> answer,
        Route.Endpoint endpoint) {

    /** @param type of JSON Schema: string, integer, boolean */
    record Query(String name, String type, boolean required, String about) {}

    Operation {
        queries = List.copyOf(queries);
    }

    /** @param answer null: it gives no JSON */
    static Operation get(
            String path,
            String id,
            String summary,
            @Nullable Class<?> answer,
            List<Query> queries,
            Route.Endpoint endpoint) {
        return new Operation(
                "GET", path, id, summary, queries, Optional.empty(), 200, Optional.ofNullable(answer), endpoint);
    }

    /** @param body null: it takes none */
    static Operation post(
            String path,
            String id,
            String summary,
            @Nullable Class<?> body,
            int status,
            Class<?> answer,
            Route.Endpoint endpoint) {
        return new Operation(
                "POST", path, id, summary, List.of(), Optional.ofNullable(body), status, Optional.of(answer), endpoint);
    }

    Route route() {
        return new Route(method, path, endpoint);
    }
}
