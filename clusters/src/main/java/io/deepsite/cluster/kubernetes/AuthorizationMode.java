package io.deepsite.cluster.kubernetes;

import java.util.List;

/** An authorizer of the API server, spelled as in its flag. */
public record AuthorizationMode(String value) {
    public static final String PATTERN = "Node|RBAC|ABAC";

    private static final List<String> KNOWN = List.of("Node", "RBAC", "ABAC");

    /** @throws IllegalArgumentException with the accepted ones */
    public static AuthorizationMode parse(String text) {
        if (!KNOWN.contains(text)) {
            throw new IllegalArgumentException("an authorizer is one of " + String.join(", ", KNOWN));
        }
        return new AuthorizationMode(text);
    }

    @Override
    public String toString() {
        return value;
    }
}
