package io.deepsite.service.http;

import java.util.Set;
import org.eclipse.jetty.server.Request;

/** What is known of a request when it is logged: attributes of Jetty's. */
final class RequestNotes {
    /** Random; the header X-Request-Id of the answer, too. */
    static final String ID = "deepsite.request";

    static final String PERSON = "deepsite.person";
    static final String ROUTE = "deepsite.route";
    /** Of the route's path, by name. */
    static final String PARAMETERS = "deepsite.parameters";

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

    private RequestNotes() {}

    /** Others are whatever a client sent. */
    static String method(Request request) {
        return METHODS.contains(request.getMethod()) ? request.getMethod() : "other";
    }
}
