package io.deepsite.service.login;

import io.deepsite.cluster.OpenId;
import io.deepsite.diag.PlainText;
import io.deepsite.service.access.Person;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the claims of a token, or of the provider's answer about a person, say. */
record Claims(LoginSettings settings, Map<String, Object> claims) {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_SUBJECT = 255;

    /** Whether nothing is missing that the provider may tell on a second question. */
    boolean isComplete() {
        return at(settings.groupsClaim()).isPresent()
                && text(settings.nameClaim()).isPresent();
    }

    /** Verified or not. */
    boolean hasAddress() {
        return text("email").isPresent();
    }

    /** With what another answer adds; these claims win. */
    Claims with(Map<String, Object> others) {
        var all = new HashMap<>(others);
        all.putAll(claims);
        return new Claims(settings, all);
    }

    /** Nobody, if what tells people apart cannot be used. */
    Optional<Person> person(String issuer) {
        return text("sub")
                .filter(subject ->
                        subject.length() <= LONGEST_SUBJECT && subject.chars().noneMatch(Character::isISOControl))
                .map(subject -> new Person(issuer, subject, name(subject), email(), groups()));
    }

    private String name(String subject) {
        var name = text(settings.nameClaim())
                .or(() -> text("preferred_username"))
                .or(() -> text("email"))
                .orElse(subject);
        return PlainText.of(name, LONGEST_NAME);
    }

    /** None that somebody only claims to have: messages would go to somebody else. */
    private Optional<String> email() {
        // Some providers write it as a string.
        boolean verified = String.valueOf(claims.get("email_verified")).equals("true");
        return verified || settings.trustedAddresses()
                ? text("email").map(address -> PlainText.of(address, LONGEST_NAME))
                : Optional.empty();
    }

    private List<String> groups() {
        return at(settings.groupsClaim())
                .map(value -> value instanceof Collection<?> many ? List.copyOf(many) : List.of(value))
                .orElse(List.of())
                .stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .distinct()
                .toList();
    }

    private Optional<String> text(String claim) {
        return at(claim)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(text -> !text.isBlank());
    }

    private Optional<Object> at(String claim) {
        @Nullable Object value = claims;
        for (var key : OpenId.keys(claim)) {
            value = value instanceof Map<?, ?> inner ? inner.get(key) : null;
        }
        return Optional.ofNullable(value);
    }
}
