package io.deepsite.service.access;

import java.util.List;
import java.util.Optional;

/**
 * Somebody who is logged in.
 *
 * @param issuer the identity provider that vouches for the person
 * @param subject by which that provider tells people apart; it never gives it to somebody else
 * @param name as pages show it; several people may have the same
 * @param groups values of the groups claim; they decide what the person may do
 */
public record Person(String issuer, String subject, String name, Optional<String> email, List<String> groups) {
    public Person {
        if (subject.isBlank()) {
            throw new IllegalArgumentException("a person needs a subject");
        }
        groups = List.copyOf(groups);
    }

    /**
     * In tables and in the audit: the same at every login, also when only the slash at the end of the issuer's name
     * comes or goes. An issuer has no #, so no two people share one.
     */
    public String id() {
        return withoutSlash(issuer) + "#" + subject;
    }

    private static String withoutSlash(String issuer) {
        return issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    }
}
